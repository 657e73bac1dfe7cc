//! Fibres of a plant: `fibres: [{name, points | circle | helix, elements, section, material, …}]`.

use super::constraint::LinkOf;
use super::fibre_points::Points;
use crate::form::{
    Choice, FaultKind, Flag, Key, NON_NEGATIVE, NUMBER, Name, Needs, Number, Optional, POSITIVE, Position, Reader,
    Section, Vector, WHOLE, WithDefault, needs, optional, with_default,
};
use crate::names::Names;
use kinegraph_multibody::fibre::{self, Curve, Fibre, FibreEnd, FibreMaterial, NaturalShape};

/// One fibre.
#[derive(Clone, Debug)]
pub struct FibreSpec {
    /// The fibre, with its ends by the full names of links.
    pub fibre: Fibre,
    /// Place where it begins in the diagram file.
    pub at: Position,
    /// Model and link that hold each end, if any, and the place where the file names them.
    pub links: [Option<(String, String, Position)>; 2],
}

/// One item of `fibres`.
pub(super) const SECTION: Section<FibreSpec> = Section {
    about: "a fibre, such as `{name: rope, points: [[0, 0, 1], [1, 0, 1]], elements: 50, section: {radius: 0.005}, \
            material: {young: 1e7, density: 1000}}`",
    read,
};

pub(super) const NAME: Needs<Name> = needs("name", Name, "unique among the models and fibres of the plant");
const POINTS: Optional<Points> = optional(
    "points",
    Points,
    "see `circle`, `helix`",
    "its axis at the start, straight from point to point, in world [m]; in a file, one point `x, y, z` a line",
);
const CIRCLE: Optional<Section<Curve>> = optional(
    "circle",
    Section { about: "a circle, such as `{radius: 0.1, axis: [0, 0, 1]}`", read: read_circle },
    "see `points`",
    "instead of `points`: a closed ring",
);
const HELIX: Optional<Section<Curve>> = optional(
    "helix",
    Section { about: "a helix, such as `{radius: 0.1, pitch: 0.05, turns: 4}`", read: read_helix },
    "see `points`",
    "instead of `points`: a coil",
);
const ELEMENTS: Optional<Number> =
    optional("elements", WHOLE, "see `element_length`", "how many beams it is made of, of equal length");
const ELEMENT_LENGTH: Optional<Number> =
    optional("element_length", POSITIVE, "see `elements`", "instead of `elements`: no beam is longer [m]");
const CROSS_SECTION: Needs<Section<fibre::Section>> = needs(
    "section",
    Section { about: "a cross section, such as `{radius: 0.005}`", read: read_section },
    "its cross section: a circle by its `radius`, a tube by `radius` and `inner_radius`, a rectangle by `width` and \
     `height`, or by its stiffness",
);
const MATERIAL: Optional<Section<FibreMaterial>> = optional(
    "material",
    Section { about: "a material, such as `{young: 2e11, density: 7800}`", read: read_material },
    "required, unless the section has its stiffness",
    "what it is made of",
);
const START: Optional<Section<End>> =
    optional("start", END_SECTION, "free", "what holds its start: nothing, `{clamped: LINK}` or `{pinned: LINK}`");
const END: Optional<Section<End>> = optional("end", END_SECTION, "free", "what holds its end");
const NATURAL: WithDefault<Choice<NaturalShape>> = with_default(
    "natural",
    Choice { what: "natural shape", options: &[("start", NaturalShape::Start), ("straight", NaturalShape::Straight)] },
    NaturalShape::Start,
    "its shape without load: that in which it starts, or straight",
);
const UP: Optional<Vector<3>> = optional(
    "up",
    Vector { about: "[x, y, z]" },
    "any",
    "direction in world to which the z axis of the section is as close as it can be, where the fibre starts",
);
const TWIST: WithDefault<Number> =
    with_default("twist", NUMBER, 0.0, "by what angle the section turns from the start to the end [rad]");
const CONTACT_RADIUS: Optional<Number> = optional(
    "contact_radius",
    NON_NEGATIVE,
    "that of the section; a rectangle touches as a box",
    "of what touches [m]; 0: nothing touches it",
);
const SELF_CONTACT: WithDefault<Flag> = with_default("self_contact", Flag, false, "whether it touches itself");
const SMOOTH_CONTACT: WithDefault<Flag> =
    with_default("smooth_contact", Flag, false, "whether contact passes from node to node without jumps");

const END_SECTION: Section<End> = Section { about: "what holds an end, such as `{clamped: arm/hand}`", read: read_end };
const CLAMPED: Optional<LinkOf> =
    optional("clamped", LinkOf, "none", "`MODEL/LINK`, or `world`: place and direction stay on it as they start");
const PINNED: Optional<LinkOf> =
    optional("pinned", LinkOf, "none", "`MODEL/LINK`, or `world`: the place stays on it; the fibre turns freely");

/// An end, with its link and the place of the link in the file.
type End = (FibreEnd, Option<(String, String, Position)>);

fn read_end(r: &mut Reader<'_>) -> Option<End> {
    let (clamped, pinned) = (r.get(&CLAMPED), r.get(&PINNED));
    if r.has(CLAMPED) == r.has(PINNED) {
        r.conflict(CLAMPED, "an end is either `clamped` or `pinned`; leave it out where it is free");
        return None;
    }
    let at = if r.has(CLAMPED) { r.at_key(CLAMPED) } else { r.at_key(PINNED) };
    let full = |link: &Option<(String, String)>| {
        link.as_ref().map_or_else(|| "world".into(), |(model, link)| format!("{model}/{link}"))
    };
    let end = match (&clamped, &pinned) {
        (Some(link), _) => FibreEnd::Clamped(full(link)),
        (_, Some(link)) => FibreEnd::Pinned(full(link)),
        _ => return None,
    };
    Some((end, clamped.or(pinned).flatten().map(|(model, link)| (model, link, at))))
}

const CENTRE: WithDefault<Vector<3>> = with_default(
    "centre",
    Vector { about: "[x, y, z] in m" },
    [0.0; 3],
    "of a circle; where the axis of a helix starts",
);
const AXIS: WithDefault<Vector<3>> =
    with_default("axis", Vector { about: "[x, y, z]" }, [0.0, 0.0, 1.0], "about which it goes round");
const RADIUS: Needs<Number> = needs("radius", POSITIVE, "[m]");
const PITCH: Needs<Number> = needs("pitch", NUMBER, "travel along the axis per turn [m]");
const TURNS: Needs<Number> = needs("turns", NUMBER, "how many; negative: left-handed");

fn read_circle(r: &mut Reader<'_>) -> Option<Curve> {
    let (centre, axis, radius) = (r.get(&CENTRE), r.get(&AXIS), r.get(&RADIUS));
    Some(Curve::Circle { centre: centre.into(), axis: axis.into(), radius: radius? })
}

fn read_helix(r: &mut Reader<'_>) -> Option<Curve> {
    let (centre, axis, radius) = (r.get(&CENTRE), r.get(&AXIS), r.get(&RADIUS));
    let (pitch, turns) = (r.get(&PITCH), r.get(&TURNS));
    Some(Curve::Helix { centre: centre.into(), axis: axis.into(), radius: radius?, pitch: pitch?, turns: turns? })
}

const SECTION_RADIUS: Optional<Number> = optional(
    "radius",
    POSITIVE,
    "see `width`",
    "of a circle or tube; where the stiffness is given, of what touches [m]",
);
const INNER_RADIUS: Optional<Number> = optional("inner_radius", NON_NEGATIVE, "none", "of a tube [m]");
const WIDTH: Optional<Number> = optional("width", POSITIVE, "see `radius`", "of a rectangle along its y axis [m]");
const HEIGHT: Optional<Number> = optional("height", POSITIVE, "see `radius`", "of a rectangle along its z axis [m]");
const STRETCH: Optional<Vector<3>> = optional(
    "stretch",
    Vector { about: "[EA, GA2, GA3] in N" },
    "from the material",
    "stiffness in stretch and shear [N]",
);
const BEND: Optional<Vector<3>> = optional(
    "bend",
    Vector { about: "[GJ, EI2, EI3] in N m²" },
    "from the material",
    "stiffness in twist and in bending about its y and z axis [N m²]",
);
const MASS: Optional<Number> =
    optional("mass", POSITIVE, "from the material", "mass per length, where the stiffness is given [kg/m]");

fn read_section(r: &mut Reader<'_>) -> Option<fibre::Section> {
    let (radius, inner) = (r.get(&SECTION_RADIUS), r.get(&INNER_RADIUS));
    let (width, height) = (r.get(&WIDTH), r.get(&HEIGHT));
    let (stretch, bend, mass) = (r.get(&STRETCH), r.get(&BEND), r.get(&MASS));
    if r.has(STRETCH) || r.has(BEND) || r.has(MASS) {
        return match (stretch, bend, mass, radius) {
            (Some(stretch), Some(bend), Some(mass), Some(radius)) => {
                Some(fibre::Section::Given { stretch, bend, mass, radius })
            }
            _ => {
                r.conflict(STRETCH, "a section by its stiffness has `stretch`, `bend`, `mass` and `radius`");
                None
            }
        };
    }
    let is_round = r.has(SECTION_RADIUS) && !r.has(WIDTH) && !r.has(HEIGHT);
    let is_flat = r.has(WIDTH) && r.has(HEIGHT) && !r.has(SECTION_RADIUS) && !r.has(INNER_RADIUS);
    let shape_is_given = is_round || is_flat;
    match (radius, inner, width, height) {
        (Some(outer), Some(inner), None, None) => Some(fibre::Section::Tube { outer, inner }),
        (Some(radius), None, None, None) => Some(fibre::Section::Circle { radius }),
        (None, None, Some(width), Some(height)) => Some(fibre::Section::Rectangle { width, height }),
        // Values out of range were reported when they were read.
        _ if shape_is_given => None,
        _ => {
            r.conflict(SECTION_RADIUS, "a section has `radius` (and `inner_radius`), or `width` and `height`");
            None
        }
    }
}

const YOUNG: Needs<Number> = needs("young", POSITIVE, "Young's modulus [Pa]");
const POISSON: WithDefault<Number> =
    with_default("poisson", NUMBER, 0.3, "Poisson's ratio, from which the shear modulus follows");
const SHEAR: Optional<Number> = optional("shear", POSITIVE, "by `poisson`", "shear modulus [Pa]");
const DENSITY: Needs<Number> = needs("density", POSITIVE, "[kg/m³]");
const DAMPING: WithDefault<Number> =
    with_default("damping", NON_NEGATIVE, 0.0, "stress per rate of strain, over the modulus [s]");

fn read_material(r: &mut Reader<'_>) -> Option<FibreMaterial> {
    let (young, poisson, shear) = (r.get(&YOUNG), r.get(&POISSON), r.get(&SHEAR));
    let (density, damping) = (r.get(&DENSITY), r.get(&DAMPING));
    if poisson <= -1.0 || poisson > 0.5 {
        r.wrong(POISSON, "a number above -1 and up to 0.5", format!("{poisson}"));
        return None;
    }
    if r.has(POISSON) && r.has(SHEAR) {
        r.conflict(SHEAR, "the shear modulus follows from `poisson`: give one of both");
    }
    let material = FibreMaterial::isotropic(young?, poisson, density?);
    Some(FibreMaterial { shear: shear.unwrap_or(material.shear), damping, ..material })
}

/// More elements than this are taken for a mistake.
const MAX_ELEMENTS: f64 = 1e5;

fn read(r: &mut Reader<'_>) -> Option<FibreSpec> {
    let name = r.get(&NAME);
    let points = r.get(&POINTS).map(Curve::Polyline);
    let (circle, helix) = (r.get(&CIRCLE), r.get(&HELIX));
    let (elements, element_length) = (r.get(&ELEMENTS), r.get(&ELEMENT_LENGTH));
    let (section, material) = (r.get(&CROSS_SECTION), r.get(&MATERIAL));
    let (start, end) = (r.get(&START), r.get(&END));
    let (natural, up, twist) = (r.get(&NATURAL), r.get(&UP), r.get(&TWIST));
    let (contact_radius, self_contact) = (r.get(&CONTACT_RADIUS), r.get(&SELF_CONTACT));
    let smooth_contact = r.get(&SMOOTH_CONTACT);
    let mut good = true;
    if [r.has(POINTS), r.has(CIRCLE), r.has(HELIX)].iter().filter(|has| **has).count() != 1 {
        r.conflict(POINTS, "a fibre has either `points`, a `circle` or a `helix`");
        good = false;
    }
    if r.has(ELEMENTS) == r.has(ELEMENT_LENGTH) {
        r.conflict(ELEMENTS, "a fibre has either a number of `elements`, or an `element_length`");
        good = false;
    }
    let given = matches!(section, Some(fibre::Section::Given { .. }));
    let material = match material {
        // The section states everything but the damping.
        None if given && !r.has(MATERIAL) => Some(FibreMaterial { young: 1.0, shear: 1.0, density: 1.0, damping: 0.0 }),
        None if !r.has(MATERIAL) => {
            r.conflict(MATERIAL, "a fibre needs a `material`, unless its section has its stiffness");
            None
        }
        material => material,
    };
    let curve = points.or(circle).or(helix);
    if !good || (r.has(START) && start.is_none()) || (r.has(END) && end.is_none()) {
        return None;
    }
    let curve = curve?;
    let count = elements.or_else(|| element_length.map(|length| (curve.length() / length).ceil().max(1.0)))?;
    if count > MAX_ELEMENTS {
        let key: &dyn Key = if r.has(ELEMENTS) { &ELEMENTS } else { &ELEMENT_LENGTH };
        r.wrong(key.key(), "at most 100000 elements", format!("{count}"));
        return None;
    }
    let [(start, start_link), (end, end_link)] = [start, end].map(|end| end.unwrap_or((FibreEnd::Free, None)));
    let fibre = Fibre {
        natural,
        up: up.map(Into::into),
        twist,
        ends: [start, end],
        contact_radius,
        self_contact,
        smooth_contact,
        ..Fibre::new(name?, curve, count as usize, section?, material?)
    };
    if let Err(fault) = fibre.check() {
        let message = format!("fibre `{}`: {fault}", fibre.name);
        r.report(r.at(), FaultKind::Conflict { path: r.path_of(NAME), message });
        return None;
    }
    Some(FibreSpec { fibre, at: r.at(), links: [start_link, end_link] })
}

/// Checks that names are unique and models exist.
pub(super) fn check(r: &Reader<'_>, list: impl Key, fibres: &[FibreSpec], models: &Names<'_>) {
    for (i, FibreSpec { fibre, at, links }) in fibres.iter().enumerate() {
        let path = |key: &dyn Key| format!("{}[{i}].{}", r.path_of(&list), key.key());
        if models.contains(&fibre.name) || fibres[..i].iter().any(|other| other.fibre.name == fibre.name) {
            let message = format!("an earlier model or fibre is named `{}` too", fibre.name);
            r.report(*at, FaultKind::Conflict { path: path(&NAME), message });
        }
        for (link, key) in links.iter().zip([START, END]) {
            if let Some((model, _, at)) = link {
                models.check(model, "model", || path(&key), *at, r.loader());
            }
        }
    }
}

/// The key of an end.
pub(super) fn end_key(end: usize) -> &'static str {
    [START, END][end].key()
}
