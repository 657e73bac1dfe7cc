//! `<composite type="cable|rope|loop">`: a chain of bodies, written out as the format's reference does.
//!
//! **Cable.** The vertices are given, or stand on a curve of three functions of s, one for each axis: with n vertices,
//! s runs from 0 to 1, `s` is `s size₁`, `cos(s)` is `size₂ cos(π size₃ s)`, `sin(s)` likewise. Body i stands on vertex
//! i with its x axis along the edge to the next; its other axes follow from edge to edge by the least turn. In the
//! plane of the first two edges lies the y axis of the first; where these are in line, its axes turn least from those
//! of the composite. Bodies are joined by balls. Defaults of classes count for nothing in a composite.
//!
//! **Rope, loop.** Versions of the format up to 2.3 had these: bodies at a `spacing`, right and left of the one that
//! holds the composite (`B3` is number 3), each on two hinges half way to its neighbour, with a hinge for the twist and
//! a slide for the stretch where these are asked for, which equalities hold. A loop is closed by a `connect`.
//!
//! The bodies of a chain stand beside each other in what is written, and each hangs on the one before: a chain of a
//! thousand bodies is no deeper than one of two.

use super::element::{Attribute, Element, MAX_ELEMENTS};
use super::fields::Fields;
use super::log::Log;
use super::orientation;
use super::schema::words::CABLE_ENDS;
use super::settings::Settings;
use crate::faults::MjcfFault;
use nalgebra::{Isometry3, Matrix3, Rotation3, UnitQuaternion, Vector3};
use std::f64::consts::PI;

/// The bodies of a chain, each of which hangs on the one before.
pub(super) const CHAIN: &str = "composite";
/// More bodies than this are a mistake, not a cable.
const MAX_BODIES: f64 = 10_000.0;
/// Edges that turn by less \[rad\] are in line.
const IN_LINE: f64 = 1e-8;
/// Possible counts, as a fault names them.
const COUNTS: &str = "two to ten thousand in the first place, and one in the others";

/// The model with its composites written out; `None` where there is none. What they hold together, keep apart and
/// stiffen stands in sections of their own.
pub(super) fn expanded(root: &Element, settings: &Settings, log: &mut Log<'_>) -> Option<Element> {
    has_composite(root).then(|| {
        let mut made = Made::default();
        let mut root = expand(root, settings, &mut made, log);
        let at = root.at.clone();
        let mut section = |name: &str, children: Vec<Element>| {
            if !children.is_empty() {
                root.children.push(Element { name: name.to_owned(), at: at.clone(), attributes: Vec::new(), children });
            }
        };
        section("contact", made.apart);
        section("equality", made.held);
        section("extension", made.stiffened);
        root
    })
}

fn has_composite(element: &Element) -> bool {
    element.name == CHAIN || element.children.iter().any(has_composite)
}

/// Elements that composites make outside of the world.
#[derive(Default)]
struct Made {
    apart: Vec<Element>,
    held: Vec<Element>,
    stiffened: Vec<Element>,
    /// How many elements there are, and whether that are too many.
    count: usize,
    is_full: bool,
}

impl Made {
    /// True if `count` elements more are too many; then the composite is at fault, the first one.
    fn is_too_much(&mut self, count: usize, composite: &Element, log: &mut Log<'_>) -> bool {
        self.count += count;
        let is_too_much = self.count > MAX_ELEMENTS;
        if is_too_much && !std::mem::replace(&mut self.is_full, true) {
            let kind = MjcfFault::TooManyElements { element: composite.describe(), most: MAX_ELEMENTS };
            log.fault(&composite.at, kind);
        }
        is_too_much
    }
}

fn expand(element: &Element, settings: &Settings, made: &mut Made, log: &mut Log<'_>) -> Element {
    let mut children = Vec::with_capacity(element.children.len());
    made.count += 1;
    for child in &element.children {
        if child.name != CHAIN {
            children.push(expand(child, settings, made, log));
            continue;
        }
        let f = Fields::alone(child);
        match child.value("type") {
            Some("cable") => children.extend(cable(&f, settings, made, log)),
            Some(kind @ ("rope" | "loop")) => {
                children.extend(rope(&f, element, kind == "loop", made, log).unwrap_or_default());
            }
            _ => log.differs(child, "is not read: what it stands for is missing"),
        }
    }
    let (name, at, attributes) = (element.name.clone(), element.at.clone(), element.attributes.clone());
    Element { name, at, attributes, children }
}

/// An element at the place of the composite, with the attributes of a template.
struct Writer<'e> {
    composite: &'e Element,
    prefix: String,
}

impl Writer<'_> {
    fn element(&self, name: &str, of: Option<&Element>, attributes: &[(&str, String)]) -> Element {
        let at = self.composite.at.clone();
        let written: Vec<Attribute> = attributes
            .iter()
            .map(|(name, value)| Attribute { name: (*name).to_owned(), value: value.clone(), at: at.clone() })
            .collect();
        let kept =
            of.into_iter().flat_map(|of| &of.attributes).filter(|a| attributes.iter().all(|(n, _)| a.name != *n));
        let attributes = kept.filter(|a| a.name != "kind").cloned().chain(written).collect();
        Element { name: name.to_owned(), at, attributes, children: Vec::new() }
    }

    /// The one child of a name, and of a kind; a second one is a fault.
    fn template<'e>(&self, name: &'static str, kind: Option<&str>, log: &mut Log<'_>) -> Option<&'e Element>
    where
        Self: 'e,
    {
        let mut all =
            self.composite.children.iter().filter(|c| c.name == name && (kind.is_none() || c.value("kind") == kind));
        let first = all.next();
        if let Some(second) = all.next() {
            let text = "stands there twice: the bodies of a chain are alike".to_owned();
            log.fault(&second.at, MjcfFault::Other { element: second.describe(), text });
        }
        first
    }

    fn body(&self, name: String, X: &Isometry3<f64>) -> Element {
        let [pos, quat] = written(X);
        self.element("body", None, &[("name", name), ("pos", pos), ("quat", quat)])
    }

    fn exclude(&self, a: &str, b: &str) -> Element {
        self.element("exclude", None, &[("body1", a.to_owned()), ("body2", b.to_owned())])
    }
}

/// Attributes `pos` and `quat`.
fn written(X: &Isometry3<f64>) -> [String; 2] {
    let (p, r) = (X.translation, X.rotation);
    [format!("{:?} {:?} {:?}", p.x, p.y, p.z), format!("{:?} {:?} {:?} {:?}", r.w, r.i, r.j, r.k)]
}

/// The counts along the three directions; a chain has one.
fn count(f: &Fields<'_>, log: &mut Log<'_>) -> Option<usize> {
    let mut counts = [1.0; 3];
    f.overlay("count", &mut counts, log);
    let valid = (2.0..=MAX_BODIES).contains(&counts[0]) && counts[0].fract() == 0.0;
    if !valid || counts[1..] != [1.0, 1.0] {
        let wrong = if valid { counts[1].max(counts[2]) } else { counts[0] };
        f.fault_range("count", wrong, COUNTS, log);
        return None;
    }
    Some(counts[0] as usize)
}

/// The vertices of a cable.
fn vertices(f: &Fields<'_>, settings: &Settings, log: &mut Log<'_>) -> Option<Vec<Vector3<f64>>> {
    let fault = |text: &str, log: &mut Log<'_>| {
        log.fault(&f.element.at, MjcfFault::Other { element: f.element.describe(), text: text.to_owned() });
    };
    let points = if f.has("vertex") {
        if f.has("count") {
            fault("has a `vertex` and a `count`: vertices have a number of their own", log);
            return None;
        }
        let numbers = f.list("vertex", log)?;
        if numbers.len() % 3 != 0 || !(6..=3 * MAX_BODIES as usize).contains(&numbers.len()) {
            fault("needs three numbers of each vertex, and two vertices or more", log);
            return None;
        }
        numbers.chunks_exact(3).map(Vector3::from_column_slice).collect()
    } else {
        let count = count(f, log)?;
        let mut size = [1.0, 0.0, 0.0];
        f.overlay("size", &mut size, log);
        let mut curve = ["0"; 3];
        let words: Vec<&str> = f.text("curve").unwrap_or_default().split_whitespace().collect();
        if words.len() > 3 {
            fault("has a `curve` of more than three functions", log);
            return None;
        }
        curve[..words.len()].copy_from_slice(&words);
        if let Some(word) = curve.iter().find(|word| !["s", "cos(s)", "sin(s)", "0"].contains(word)) {
            fault(&format!("has the function `{word}` in its `curve`; there are s, cos(s), sin(s) and 0"), log);
            return None;
        }
        // It turns what stands on the curve, not vertices that are given.
        let turn = orientation::orientation(f, settings, log).unwrap_or_default();
        let point = |i: usize| {
            let s = i as f64 / (count - 1) as f64;
            turn * Vector3::from(curve.map(|function| match function {
                "s" => size[0] * s,
                "cos(s)" => size[1] * (PI * size[2] * s).cos(),
                "sin(s)" => size[1] * (PI * size[2] * s).sin(),
                _ => 0.0,
            }))
        };
        (0..count).map(point).collect::<Vec<_>>()
    };
    let length: f64 = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    if !length.is_finite() {
        fault("has vertices that are too far apart to be measured", log);
        return None;
    }
    if let Some(i) = points.windows(2).position(|pair| (pair[1] - pair[0]).norm() <= 1e-9 * length) {
        fault(&format!("has vertices {i} and {} at one place: no body fits between them", i + 1), log);
        return None;
    }
    Some(points)
}

/// Orientations of the edges.
fn turns(points: &[Vector3<f64>]) -> Vec<UnitQuaternion<f64>> {
    let tangents: Vec<Vector3<f64>> = points.windows(2).map(|pair| (pair[1] - pair[0]).normalize()).collect();
    let x = tangents[0];
    let plane = tangents.get(1).map_or_else(Vector3::zeros, |next| x.cross(next));
    let mut turn = if plane.norm() > IN_LINE {
        let z = plane.normalize();
        let columns = Matrix3::from_columns(&[x, z.cross(&x), z]);
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(columns))
    } else {
        let back = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), PI);
        UnitQuaternion::rotation_between(&Vector3::x(), &x).unwrap_or(back)
    };
    let mut all = vec![turn];
    for pair in tangents.windows(2) {
        // Edges that turn back have no least turn: any will do.
        let back = UnitQuaternion::from_scaled_axis(turn * Vector3::z() * PI);
        turn = UnitQuaternion::rotation_between(&pair[0], &pair[1]).unwrap_or(back) * turn;
        all.push(turn);
    }
    all
}

/// The chain of a cable.
fn cable(f: &Fields<'_>, settings: &Settings, made: &mut Made, log: &mut Log<'_>) -> Option<Element> {
    let composite = f.element;
    for child in &composite.children {
        match child.name.as_str() {
            "geom" | "joint" | "site" | "plugin" | "skin" => {}
            _ => log.differs(child, "is not read: a cable has `geom`, `joint`, `site` and `plugin`"),
        }
    }
    let write = Writer { composite, prefix: composite.value("prefix").unwrap_or_default().to_owned() };
    let points = vertices(f, settings, log)?;
    let initial = f.word("initial", &CABLE_ENDS, Some("ball"), log);
    let offset = Vector3::from(f.exactly::<3>("offset", log).unwrap_or_default());
    let [geom, joint, site] = ["geom", "joint", "site"].map(|name| write.template(name, None, log));
    let kind = geom.and_then(|geom| geom.value("type")).unwrap_or("sphere");
    if !["capsule", "cylinder", "box"].contains(&kind) {
        let text = format!("has a geom of type {kind}; the geoms of a cable are capsules, cylinders or boxes");
        log.fault(&composite.at, MjcfFault::Other { element: composite.describe(), text });
        return None;
    }
    let instance = plugin(&write, made, log);
    let (count, turns) = (points.len() - 1, turns(&points));
    if made.is_too_much(4 * count, composite, log) {
        return None;
    }
    let name = |i: usize| match i {
        0 => "first".to_owned(),
        i if i + 1 == count => "last".to_owned(),
        i => i.to_string(),
    };
    let titled = |letter: &str, i: usize| format!("{}{letter}_{}", write.prefix, name(i));
    let mut bodies = Vec::with_capacity(count);
    for i in 0..count {
        let length = (points[i + 1] - points[i]).norm();
        let X = if i == 0 {
            Isometry3::from_parts((offset + points[0]).into(), turns[0])
        } else {
            let before = (points[i] - points[i - 1]).norm();
            Isometry3::from_parts((Vector3::x() * before).into(), turns[i - 1].inverse() * turns[i])
        };
        let mut body = write.body(titled("B", i), &X);
        let mut of_geom = vec![("name", format!("{}G{i}", write.prefix))];
        if kind == "box" {
            let half = geom.and_then(|geom| Fields::alone(geom).list("size", log)).unwrap_or_default();
            let [y, z] = [1, 2].map(|k| half.get(k).copied().unwrap_or(0.0));
            of_geom.push(("pos", format!("{:?} 0 0", 0.5 * length)));
            of_geom.push(("size", format!("{:?} {y:?} {z:?}", 0.5 * length)));
        } else {
            of_geom.push(("fromto", format!("0 0 0 {length:?} 0 0")));
        }
        body.children.push(write.element("geom", geom, &of_geom));
        if let Some(kind) = if i == 0 { initial } else { Some("ball") } {
            let of_joint = [("name", titled("J", i)), ("type", kind.to_owned())];
            // A free joint is free of what the others have.
            let of = joint.filter(|_| kind == "ball");
            body.children.push(write.element("joint", of, &of_joint));
        }
        for (end, at) in [(i == 0, 0.0), (i + 1 == count, length)] {
            if end {
                let end = if at == 0.0 { "first" } else { "last" };
                let of_site = [("name", format!("{}S_{end}", write.prefix)), ("pos", format!("{at:?} 0 0"))];
                body.children.push(write.element("site", site, &of_site));
            }
        }
        if let Some(instance) = &instance {
            body.children.push(write.element("plugin", None, &[("instance", instance.clone())]));
        }
        if i > 0 {
            made.apart.push(write.exclude(&titled("B", i - 1), &titled("B", i)));
        }
        bodies.push(body);
    }
    Some(Element { children: bodies, ..write.element(CHAIN, None, &[]) })
}

/// The instance of the plugin of a cable: that which it names, or one of its own.
fn plugin(write: &Writer<'_>, made: &mut Made, log: &mut Log<'_>) -> Option<String> {
    let plugin = write.template("plugin", None, log)?;
    if let Some(instance) = plugin.value("instance") {
        return Some(instance.to_owned());
    }
    let name = format!("composite{}", write.prefix);
    let instance = write.element("instance", None, &[("name", name.clone())]);
    let instance = Element { at: plugin.at.clone(), children: plugin.children.clone(), ..instance };
    made.stiffened.push(Element { children: vec![instance], ..plugin.clone() });
    Some(name)
}

/// The geom of the body that holds a rope, and the chains to its right and left.
fn rope(f: &Fields<'_>, body: &Element, is_loop: bool, made: &mut Made, log: &mut Log<'_>) -> Option<Vec<Element>> {
    let composite = f.element;
    let write = Writer { composite, prefix: composite.value("prefix").unwrap_or_default().to_owned() };
    let fault = |text: String, log: &mut Log<'_>| {
        log.fault(&composite.at, MjcfFault::Other { element: composite.describe(), text });
    };
    for child in &composite.children {
        match (child.name.as_str(), child.any_value("kind")) {
            ("geom" | "skin", _) | ("joint", Some("main" | "twist" | "stretch")) => {}
            _ => log.differs(child, "is not read: a rope has a `geom` and joints of the kinds main, twist and stretch"),
        }
    }
    let count = count(f, log)?;
    if made.is_too_much(6 * count, composite, log) {
        return None;
    }
    let spacing = f.number_or("spacing", 0.0, log);
    if spacing <= 0.0 {
        f.fault_range("spacing", spacing, "above zero", log);
        return None;
    }
    let title = body.any_value("name").unwrap_or_default();
    let own = title.strip_prefix(&format!("{}B", write.prefix)).and_then(|number| number.parse::<usize>().ok());
    let Some(own) = own.filter(|own| *own < count) else {
        let expected = format!("`{0}B0` to `{0}B{1}`", write.prefix, count - 1);
        fault(format!("stands in the body `{title}`, which must be one of {expected}: it is a part of the chain"), log);
        return None;
    };
    let geom = write.template("geom", None, log);
    let kinds = [("main", "J0_"), ("main", "J1_"), ("twist", "JT"), ("stretch", "JS")];
    let joints = kinds.map(|(kind, letter)| (write.template("joint", Some(kind), log), kind, letter));
    let shape = |i: usize| {
        let half_turn = format!("{0:?} 0 {0:?} 0", 0.5f64.sqrt());
        write.element("geom", geom, &[("name", format!("{}G{i}", write.prefix)), ("quat", half_turn)])
    };
    let angle = PI / count as f64;
    let mut chain = |to: &mut dyn Iterator<Item = usize>, sense: f64| {
        let mut bodies = Vec::new();
        for i in to {
            let X = if is_loop {
                // The sides of a polygon: the middle of a side is spacing/2 from its corners.
                let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * (2.0 * angle * sense));
                let corner = Vector3::x() * (0.5 * spacing * sense);
                Isometry3::from_parts((corner + turn * corner).into(), turn)
            } else {
                Isometry3::translation(spacing * sense, 0.0, 0.0)
            };
            let mut body = write.body(format!("{}B{i}", write.prefix), &X);
            body.children.push(shape(i));
            for (k, (joint, kind, letter)) in joints.iter().enumerate() {
                let main = *kind == "main";
                if joint.is_none() && !main {
                    continue;
                }
                let name = format!("{}{letter}{i}", write.prefix);
                let axis = if main { ["0 1 0", "0 0 1"][k] } else { "1 0 0" };
                let slides = if *kind == "stretch" { "slide" } else { "hinge" };
                let pos = format!("{:?} 0 0", -0.5 * spacing * sense);
                let of = [("name", name.clone()), ("type", slides.into()), ("pos", pos), ("axis", axis.into())];
                body.children.push(write.element("joint", *joint, &of));
                if !main {
                    made.held.push(write.element("joint", None, &[("joint1", name)]));
                }
            }
            bodies.push(body);
        }
        Element { children: bodies, ..write.element(CHAIN, None, &[]) }
    };
    let right = chain(&mut (own + 1..count), 1.0);
    let left = chain(&mut (0..own).rev(), -1.0);
    if is_loop {
        let [first, last] = [0, count - 1].map(|i| format!("{}B{i}", write.prefix));
        made.apart.push(write.exclude(&first, &last));
        let anchor = format!("{:?} 0 0", -0.5 * spacing);
        made.held.push(write.element("connect", None, &[("body1", first), ("body2", last), ("anchor", anchor)]));
    }
    Some(vec![shape(own), right, left])
}
