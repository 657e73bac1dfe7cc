//! `<equality>`: what is held together, as it stands where all joints are at their references.

use super::bodies::Bodies;
use super::classes::Classes;
use super::element::Element;
use super::fields::Fields;
use super::joints::Joints;
use super::log::Log;
use super::names::Names;
use super::recognition;
use super::schema;
use super::soft_equalities::{HeldString, Softness};
use super::surfaces;
use super::tendons::{Tendons, single};
use crate::faults::MjcfFault;
use kinegraph_multibody::Joint;
use kinegraph_multibody::scene_data::{Coupling, CouplingLaw, LinkFrame};
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};

/// Parts of a model that equalities may name.
pub(super) struct Named<'a, 'e> {
    pub bodies: &'a Bodies<'e>,
    pub joints: &'a Joints<'e>,
    pub model_joints: &'a [Joint],
    pub sites: (&'a Names, &'a [LinkFrame]),
    pub tendons: &'a Tendons<'e>,
}

/// Couplings and strings that equalities hold.
#[derive(Default)]
pub(super) struct Equalities<'e> {
    pub couplings: Vec<Coupling>,
    /// How couplings yield.
    pub soft: Vec<Softness<'e>>,
    /// Strings whose lengths are held.
    pub strings: Vec<HeldString<'e>>,
}

/// Reads all equalities that are simulated.
pub(super) fn read<'e>(
    root: &'e Element,
    classes: &Classes,
    named: &Named<'_, '_>,
    log: &mut Log<'_>,
) -> Equalities<'e> {
    let elements: Vec<&Element> = root.all("equality").flat_map(|section| &section.children).collect();
    let titles: Vec<_> = elements.iter().map(|element| (*element, element.name.clone())).collect();
    let (_, names) = Names::of("equality", &titles, log);
    let mut all = Equalities::default();
    for (element, name) in elements.into_iter().zip(names) {
        let f = Fields { element, defaults: classes.defaults(element, "equality", log) };
        recognition::check_attributes(element, log);
        let law = match element.name.as_str() {
            "connect" => connect(&f, named, log),
            "weld" => weld(&f, named, log),
            "joint" => joint(&f, named, log),
            "tendon" => match held_string(element, &f, named, log) {
                Some(string) => {
                    all.strings.push(string);
                    None
                }
                None => tendon(&f, named, log),
            },
            other => {
                match schema::status_within(other, "equality") {
                    Some(_) => log.differs(element, "is not simulated"),
                    None => recognition::unknown_element(element, log),
                }
                continue;
            }
        };
        let law = law.filter(|law| {
            let moves = moves(law, named);
            if !moves {
                log.differs(element, "holds what cannot move anyway, and is left out");
            }
            moves
        });
        let active = f.flag("active", true, log);
        if let (Some(coupling), Some(yields)) = (&law, surfaces::stop_of(&f, ["solref", "solimp"], log)) {
            let is_weld = matches!(coupling, CouplingLaw::Weld(_));
            let torque_scale = if is_weld { f.number_or("torquescale", 1.0, log) } else { 1.0 };
            let sums = sums(element, coupling, named);
            all.soft.push(Softness { element, name: name.clone(), law: yields, torque_scale, sums });
        }
        all.couplings.extend(law.map(|law| Coupling { name, active, law }));
    }
    all
}

/// Sums of joints that an equality of joints or fixed tendons holds to each other: each joint, or each tendon as a sum
/// of joints.
fn sums(element: &Element, law: &CouplingLaw, named: &Named<'_, '_>) -> Vec<Vec<(String, f64)>> {
    if element.name == "tendon" {
        let tendon = |key: &str| named.tendons.names.get(element.attribute(key)?.value.trim());
        let held = ["tendon1", "tendon2"].into_iter().filter_map(tendon);
        return held.map(|tendon| named.tendons.tendons[tendon].joints.clone()).collect();
    }
    let alone = |joint: &String| vec![(joint.clone(), 1.0)];
    match law {
        CouplingLaw::Joints { joints, .. } => joints.iter().map(|(joint, _)| alone(joint)).collect(),
        CouplingLaw::Polynomial { sums, .. } => sums.to_vec(),
        _ => Vec::new(),
    }
}

/// True if the two ends of a connect or weld can move relative to each other; true of any other law.
fn moves(law: &CouplingLaw, named: &Named<'_, '_>) -> bool {
    let (CouplingLaw::Ball([a, b]) | CouplingLaw::Weld([a, b])) = law else { return true };
    // What a body without joints is fixed to.
    let root = |(link, _): &(String, Isometry3<f64>)| {
        let all = &named.bodies.bodies;
        let mut body = all.iter().position(|body| body.name == *link)?;
        while body != 0 && all[body].joints.is_empty() && !all[body].mocap {
            body = all[body].parent;
        }
        Some(body)
    };
    root(a) != root(b)
}

/// The frames of two sites, where the element names sites.
fn sites(f: &Fields<'_>, named: &Named<'_, '_>, log: &mut Log<'_>) -> Option<[(String, Isometry3<f64>); 2]> {
    let [a, b] = ["site1", "site2"].map(|key| {
        let site = &named.sites.1[named.sites.0.required("site", f.element, key, log)?];
        Some((site.link.clone(), site.X_LF))
    });
    Some([a?, b?])
}

/// The two bodies; the second is the world where none is named.
fn bodies(f: &Fields<'_>, named: &Named<'_, '_>, log: &mut Log<'_>) -> Option<[usize; 2]> {
    let names = &named.bodies.names;
    let first = names.required("body", f.element, "body1", log);
    let second = match f.element.attribute("body2") {
        Some(_) => names.named("body", f.element, "body2", log),
        None => Some(0),
    };
    Some([first?, second?])
}

/// Pose of a body in the world where all joints are at their references.
fn X_WB(named: &Named<'_, '_>, mut body: usize) -> Isometry3<f64> {
    let mut X = Isometry3::identity();
    while body != 0 {
        X = named.bodies.bodies[body].X_PB * X;
        body = named.bodies.bodies[body].parent;
    }
    X
}

fn frames(
    named: &Named<'_, '_>,
    [a, b]: [usize; 2],
    X_AF: Isometry3<f64>,
    X_BF: Isometry3<f64>,
) -> [(String, Isometry3<f64>); 2] {
    let name = |body: usize| named.bodies.bodies[body].name.clone();
    [(name(a), X_AF), (name(b), X_BF)]
}

fn connect(f: &Fields<'_>, named: &Named<'_, '_>, log: &mut Log<'_>) -> Option<CouplingLaw> {
    if f.has("site1") || f.has("site2") {
        return sites(f, named, log).map(CouplingLaw::Ball);
    }
    let pair = bodies(f, named, log)?;
    let anchor = f.exactly::<3>("anchor", log);
    if !f.has("anchor") {
        log.fault(&f.element.at, MjcfFault::Missing { element: f.element.describe(), attribute: "anchor" });
    }
    let X_AF = Isometry3::from_parts(Vector3::from(anchor?).into(), UnitQuaternion::identity());
    let X_BF = X_WB(named, pair[1]).inverse() * X_WB(named, pair[0]) * X_AF;
    Some(CouplingLaw::Ball(moved_first(named, pair, frames(named, pair, X_AF, X_BF))))
}

fn weld(f: &Fields<'_>, named: &Named<'_, '_>, log: &mut Log<'_>) -> Option<CouplingLaw> {
    if f.has("site1") || f.has("site2") {
        return sites(f, named, log).map(CouplingLaw::Weld);
    }
    let pair = bodies(f, named, log)?;
    let anchor = Vector3::from(f.exactly::<3>("anchor", log).unwrap_or_default());
    let [x, y, z, w, i, j, k] = f.exactly("relpose", log).unwrap_or([0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let q = Quaternion::new(w, i, j, k);
    // A zero quaternion asks for the pose at the references.
    let X_AB = if q.norm() == 0.0 {
        X_WB(named, pair[0]).inverse() * X_WB(named, pair[1])
    } else {
        Isometry3::from_parts(Translation3::new(x, y, z), UnitQuaternion::from_quaternion(q))
    };
    // The anchor is in the second body.
    let X_BF = Isometry3::from_parts(anchor.into(), UnitQuaternion::identity());
    Some(CouplingLaw::Weld(moved_first(named, pair, frames(named, pair, X_AB * X_BF, X_BF))))
}

/// The frames with that on a body first which is moved from outside: it is the one that leads.
fn moved_first(
    named: &Named<'_, '_>,
    [_, second]: [usize; 2],
    [a, b]: [(String, Isometry3<f64>); 2],
) -> [(String, Isometry3<f64>); 2] {
    if named.bodies.bodies[second].mocap { [b, a] } else { [a, b] }
}

/// The coefficients of `y - y₀ = Σ aᵢ (x - x₀)ⁱ`.
fn polynomial(f: &Fields<'_>, log: &mut Log<'_>) -> [f64; 5] {
    let mut polynomial = [0.0, 1.0, 0.0, 0.0, 0.0];
    f.overlay("polycoef", &mut polynomial, log);
    polynomial
}

fn reference(named: &Named<'_, '_>, joint: &str) -> f64 {
    named.model_joints.iter().find(|j| j.name == joint).map_or(0.0, |j| j.start)
}

fn joint(f: &Fields<'_>, named: &Named<'_, '_>, log: &mut Log<'_>) -> Option<CouplingLaw> {
    let curve = polynomial(f, log);
    let [a0, a1, ..] = curve;
    let first = single(named.joints, f.element, "joint1", log)?;
    let offset = reference(named, &first) + a0;
    if f.element.attribute("joint2").is_none() {
        return Some(CouplingLaw::Joints { joints: vec![(first, 1.0)], offset, compliance: None });
    }
    let second = single(named.joints, f.element, "joint2", log)?;
    if curve[2..] != [0.0; 3] {
        let references = [reference(named, &first), reference(named, &second)];
        let sums = [first, second].map(|joint| vec![(joint, 1.0)]);
        return Some(CouplingLaw::Polynomial { sums, references, coefficients: curve, compliance: None });
    }
    let offset = offset - a1 * reference(named, &second);
    Some(CouplingLaw::Joints { joints: vec![(first, 1.0), (second, -a1)], offset, compliance: None })
}

/// The length of one string that is held at its length at the references, or beside it.
fn held_string<'e>(
    element: &'e Element,
    f: &Fields<'_>,
    named: &Named<'_, '_>,
    log: &mut Log<'_>,
) -> Option<HeldString<'e>> {
    if f.element.attribute("tendon2").is_some() || !f.flag("active", true, log) {
        return None;
    }
    let tendon = named.tendons.names.get(f.text("tendon1")?.trim())?;
    let string = named.tendons.tendons[tendon].spatial.clone()?;
    let law = surfaces::stop_of(f, ["solref", "solimp"], log)?;
    Some(HeldString { element, string, beside: polynomial(f, log)[0], law })
}

const HOLDS_NOTHING: &str = "holds no joints, and is not simulated";

fn tendon(f: &Fields<'_>, named: &Named<'_, '_>, log: &mut Log<'_>) -> Option<CouplingLaw> {
    let curve = polynomial(f, log);
    let [a0, a1, ..] = curve;
    let names = &named.tendons.names;
    let first = names.required("tendon", f.element, "tendon1", log)?;
    let second = match f.element.attribute("tendon2") {
        Some(_) => Some(names.named("tendon", f.element, "tendon2", log)?),
        None => None,
    };
    let is_spatial = |tendon: usize| named.tendons.tendons[tendon].spatial.is_some();
    if is_spatial(first) || second.is_some_and(is_spatial) {
        log.differs(
            f.element,
            "holds lengths of spatial tendons to each other, or not from the start, which is not simulated",
        );
        return None;
    }
    let at_references = |sum: &[(String, f64)]| sum.iter().map(|(joint, c)| c * reference(named, joint)).sum::<f64>();
    if let Some(second) = second.filter(|_| curve[2..] != [0.0; 3]) {
        let sums = [first, second].map(|tendon| named.tendons.tendons[tendon].joints.clone());
        if sums[0].is_empty() {
            log.differs(f.element, HOLDS_NOTHING);
            return None;
        }
        let references = sums.each_ref().map(|sum| at_references(sum));
        return Some(CouplingLaw::Polynomial { sums, references, coefficients: curve, compliance: None });
    }
    let mut joints: Vec<(String, f64)> = Vec::new();
    let parts = [Some((first, 1.0)), second.map(|second| (second, -a1))];
    for (tendon, factor) in parts.into_iter().flatten() {
        for (joint, coefficient) in &named.tendons.tendons[tendon].joints {
            match joints.iter_mut().find(|(known, _)| known == joint) {
                Some((_, sum)) => *sum += factor * coefficient,
                None => joints.push((joint.clone(), factor * coefficient)),
            }
        }
    }
    joints.retain(|(_, coefficient)| *coefficient != 0.0);
    if joints.is_empty() {
        log.differs(f.element, HOLDS_NOTHING);
        return None;
    }
    let offset = a0 + at_references(&joints);
    Some(CouplingLaw::Joints { joints, offset, compliance: None })
}
