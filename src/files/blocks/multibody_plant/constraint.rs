//! Constraints of a plant: `constraints: [{name, type, a, b, …}]`.

use super::element::{JointOf, JointRef, ModelElement};
use super::pose::{self, Pose};
use crate::form::{
    Choice, Decode, FaultKind, Flag, Item, Key, ListOf, NON_NEGATIVE, NUMBER, Name, Needs, Number, Optional, Position,
    Reader, Section, Text, Vector, WithDefault, needs, optional, with_default,
};
use crate::names::Names;

/// One constraint.
#[derive(Clone, Debug)]
pub struct ConstraintSpec {
    /// Name, unique within the plant.
    pub name: String,
    /// Where the constraint begins in the diagram file.
    pub at: Position,
    /// Constraint law.
    pub law: LawSpec,
    /// True if it acts while its input is not connected.
    pub active: bool,
    /// True if it holds the values found when it is switched on.
    pub capture: bool,
}

/// Constraint law: what is held together, and how.
#[derive(Clone, Debug)]
pub enum LawSpec {
    /// Two frames coincide.
    Weld {
        /// The frames.
        frames: [FrameSpec; 2],
        /// Compliance in position.
        linear: Option<ComplianceSpec>,
        /// Compliance in orientation.
        angular: Option<ComplianceSpec>,
    },
    /// Springs and dampers between two frames, along and about the axes of the first.
    Bushing {
        /// The frames.
        frames: [FrameSpec; 2],
        /// Along the axes.
        linear: [ComplianceSpec; 3],
        /// About the axes.
        angular: [ComplianceSpec; 3],
    },
    /// The origins of two frames coincide.
    Ball {
        /// The frames.
        frames: [FrameSpec; 2],
        /// Its compliance.
        compliance: Option<ComplianceSpec>,
    },
    /// The origins of two frames keep a distance.
    Distance {
        /// The frames.
        frames: [FrameSpec; 2],
        /// The distance \[m\].
        length: f64,
        /// Its compliance.
        compliance: Option<ComplianceSpec>,
    },
    /// The position of a joint follows another.
    Coupler {
        /// The joints, the follower first.
        joints: [JointRef; 2],
        /// Motion of the first per motion of the second.
        ratio: f64,
        /// Position of the first where the second is at zero.
        offset: f64,
        /// Its compliance.
        compliance: Option<ComplianceSpec>,
    },
    /// A weighted sum of joint positions is held.
    Sum {
        /// The joints.
        joints: Vec<JointRef>,
        /// A coefficient for each.
        coefficients: Vec<f64>,
        /// Value of the sum.
        offset: f64,
        /// Its compliance.
        compliance: Option<ComplianceSpec>,
    },
    /// The position of a joint is a polynomial of that of another.
    Polynomial {
        /// The joints, the follower first.
        joints: [JointRef; 2],
        /// From the constant on.
        coefficients: [f64; 5],
        /// Its compliance.
        compliance: Option<ComplianceSpec>,
    },
}

impl LawSpec {
    /// The frames of a constraint between links.
    pub fn frames(&self) -> &[FrameSpec] {
        match self {
            LawSpec::Weld { frames, .. }
            | LawSpec::Bushing { frames, .. }
            | LawSpec::Ball { frames, .. }
            | LawSpec::Distance { frames, .. } => frames,
            LawSpec::Coupler { .. } | LawSpec::Sum { .. } | LawSpec::Polynomial { .. } => &[],
        }
    }

    /// The joints of a coupler.
    pub fn joints(&self) -> &[JointRef] {
        match self {
            LawSpec::Coupler { joints, .. } | LawSpec::Polynomial { joints, .. } => joints,
            LawSpec::Sum { joints, .. } => joints,
            _ => &[],
        }
    }
}

/// A spring and a damper in parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComplianceSpec {
    /// \[N/m, N m/rad\].
    pub stiffness: f64,
    /// \[N s/m, N m s/rad\].
    pub damping: f64,
}

/// A frame on a link.
#[derive(Clone, Debug)]
pub struct FrameSpec {
    /// Model and link; `None`: the world.
    pub link: Option<(String, String)>,
    /// Place where the link is named.
    pub at: Position,
    /// Pose of the frame in the link's frame.
    pub pose: Pose,
}

/// Types of constraints.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Weld,
    Bushing,
    Ball,
    Distance,
    Coupler,
}

/// One item of `constraints`.
pub(super) const SECTION: Section<ConstraintSpec> = Section {
    about: "a constraint, such as `{name: grip, type: weld, a: {link: hand/palm}, b: {link: crate/base}}`",
    read,
};

/// A list of joints.
pub(super) const JOINT_LIST: ListOf<JointOf> = ListOf { each: JointOf, about: "a list of joints as `model/joint`" };

const NAME: Needs<Name> = needs("name", Name, "unique in the plant");
const TYPE: Needs<Choice<Kind>> = needs(
    "type",
    Choice {
        what: "type of constraint",
        options: &[
            ("weld", Kind::Weld),
            ("bushing", Kind::Bushing),
            ("ball", Kind::Ball),
            ("distance", Kind::Distance),
            ("coupler", Kind::Coupler),
        ],
    },
    "`weld`: frame b stays on frame a; `bushing`: six springs and dampers hold it there; `ball`: only its origin does; `distance`: the origins keep their distance; \
     `coupler`: q of the first joint = `ratio` times q of the second + `offset`, or a `polynomial` of it, or `coefficients` times q of any number of joints = `offset`",
);
const ACTIVE: WithDefault<Flag> =
    with_default("active", Flag, true, "whether it acts where its input is not connected");
const CAPTURE: WithDefault<Flag> = with_default(
    "capture",
    Flag,
    false,
    "`true`: from the moment it is switched on (or the start) it holds the pose, point, distance or offset it finds then",
);
const STIFFNESS: Optional<Number> = optional(
    "stiffness",
    NON_NEGATIVE,
    "rigid",
    "where given the constraint is compliant, a spring and a damper; of a weld in position [N/m, N m/rad]",
);
const DAMPING: Optional<Number> = optional("damping", NON_NEGATIVE, "0", "of that damper [N s/m, N m s/rad]");
const ANGULAR_STIFFNESS: Optional<Number> =
    optional("angular_stiffness", NON_NEGATIVE, "rigid", "of a weld in orientation [N m/rad]");
const ANGULAR_DAMPING: Optional<Number> =
    optional("angular_damping", NON_NEGATIVE, "0", "of a weld in orientation [N m s/rad]");
const FORCE_STIFFNESS: Optional<Vector<3>> =
    optional("force_stiffness", BY_AXIS, "required", "of a bushing along the axes of frame a [N/m]");
const FORCE_DAMPING: WithDefault<Vector<3>> =
    with_default("force_damping", BY_AXIS, [0.0; 3], "of a bushing along the axes of frame a [N s/m]");
const TORQUE_STIFFNESS: Optional<Vector<3>> =
    optional("torque_stiffness", BY_AXIS, "required", "of a bushing about the axes of frame a [N m/rad]");
const TORQUE_DAMPING: WithDefault<Vector<3>> =
    with_default("torque_damping", BY_AXIS, [0.0; 3], "of a bushing about the axes of frame a [N m s/rad]");
const BY_AXIS: Vector<3> = Vector { about: "[x, y, z]" };
const FRAME: Section<FrameSpec> = Section { about: "a frame on a link, such as `{link: hand/palm}`", read: read_frame };
pub(super) const A: Optional<Section<FrameSpec>> =
    optional("a", FRAME, "required, except of a coupler", "a frame on a link or in the world");
pub(super) const B: Optional<Section<FrameSpec>> =
    optional("b", FRAME, "required, except of a coupler", "the frame that is held to it");
const LENGTH: Optional<Number> = optional("length", NON_NEGATIVE, "required, unless `capture`", "of a distance [m]");
pub(super) const JOINTS: Optional<ListOf<JointOf>> = optional(
    "joints",
    JOINT_LIST,
    "required",
    "of a coupler: two joints of one axis `[MODEL/JOINT, MODEL/JOINT]`, or any number with `coefficients`; of any models",
);
const RATIO: WithDefault<Number> = with_default("ratio", NUMBER, 1.0, "of a coupler of two joints");
const OFFSET: WithDefault<Number> = with_default("offset", NUMBER, 0.0, "of a coupler [any]");
const COEFFICIENTS: Optional<ListOf<Number>> = optional(
    "coefficients",
    ListOf { each: NUMBER, about: "a list of numbers, none of them 0" },
    "see `ratio`",
    "of a coupler, one for each joint: their sum times the positions is `offset`; a differential has `[0.5, 0.5, -1]`.      Where joints turn and slide, a coefficient has the unit m/rad or rad/m",
);
const POLYNOMIAL: Optional<ListOf<Number>> = optional(
    "polynomial",
    ListOf { each: NUMBER, about: "a list of 2 to 5 numbers" },
    "see `ratio`",
    "of a coupler of two joints: q of the first = `[c0, c1, c2, ...]` times 1, q, q^2, ... of the second",
);

fn read(r: &mut Reader<'_>) -> Option<ConstraintSpec> {
    let name = r.get(&NAME);
    let kind = r.get(&TYPE);
    let (active, capture) = (r.get(&ACTIVE), r.get(&CAPTURE));
    let compliance = compliance(r, &STIFFNESS, &DAMPING);
    // If the type is unknown, no key can be judged, so all are asked for.
    let may_be = |one: Kind| kind.is_none_or(|kind| kind == one);
    let angular = if may_be(Kind::Weld) { self::compliance(r, &ANGULAR_STIFFNESS, &ANGULAR_DAMPING) } else { None };
    let springs = if may_be(Kind::Bushing) { springs(r, kind.is_some()) } else { None };
    let mut frame = |key| match kind {
        Some(Kind::Coupler) => None,
        Some(_) => r.get_required(key),
        None => r.get(key),
    };
    let frames = [frame(&A), frame(&B)];
    let frames = || {
        let [a, b] = frames.clone();
        Some([a?, b?])
    };
    let length = match kind {
        Some(Kind::Distance) if !capture => r.get_required(&LENGTH),
        Some(Kind::Distance) | None => Some(r.get(&LENGTH).unwrap_or(0.0)),
        _ => None,
    };
    let joints = match kind {
        Some(Kind::Coupler) => r.get_required(&JOINTS),
        Some(_) => None,
        None => r.get(&JOINTS),
    };
    let coupling = may_be(Kind::Coupler).then(|| Coupling::read(r));
    let law = match kind? {
        Kind::Weld => LawSpec::Weld { frames: frames()?, linear: compliance, angular },
        Kind::Bushing => {
            let (linear, angular) = springs?;
            LawSpec::Bushing { frames: frames()?, linear, angular }
        }
        Kind::Ball => LawSpec::Ball { frames: frames()?, compliance },
        Kind::Distance => LawSpec::Distance { frames: frames()?, length: length?, compliance },
        Kind::Coupler => coupling?.law(r, joints?, compliance)?,
    };
    Some(ConstraintSpec { name: name?, at: r.at(), law, active, capture })
}

/// How positions of joints depend on each other.
struct Coupling {
    ratio: f64,
    offset: f64,
    coefficients: Option<Vec<f64>>,
    polynomial: Option<Vec<f64>>,
}

impl Coupling {
    fn read(r: &mut Reader<'_>) -> Self {
        Coupling {
            ratio: r.get(&RATIO),
            offset: r.get(&OFFSET),
            coefficients: r.get(&COEFFICIENTS),
            polynomial: r.get(&POLYNOMIAL),
        }
    }

    fn law(self, r: &mut Reader<'_>, joints: Vec<JointRef>, compliance: Option<ComplianceSpec>) -> Option<LawSpec> {
        let Coupling { ratio, offset, coefficients, polynomial } = self;
        let (several, curved) = (r.has(COEFFICIENTS), r.has(POLYNOMIAL));
        for (given, by) in [(several, COEFFICIENTS.key()), (curved, POLYNOMIAL.key())] {
            if given && r.has(RATIO) {
                r.conflict(RATIO, format!("a coupler with `{by}` has no `ratio`"));
            }
        }
        if curved && several {
            r.conflict(POLYNOMIAL, "a coupler has `coefficients` or a `polynomial`, not both");
        }
        if curved && r.has(OFFSET) {
            r.conflict(OFFSET, "the first number of `polynomial` is the offset");
        }
        let found = joints.len();
        if several {
            let coefficients = coefficients?;
            if coefficients.len() != found {
                r.wrong(COEFFICIENTS, format!("one number for each of {found} joints"), coefficients.len().to_string());
                return None;
            }
            if coefficients.contains(&0.0) {
                r.wrong(COEFFICIENTS, "numbers other than 0: leave out a joint on which nothing depends", "0");
            }
            let twice = joints
                .iter()
                .enumerate()
                .find(|(i, joint)| joints[..*i].iter().any(|j| (&j.model, &j.joint) == (&joint.model, &joint.joint)));
            if let Some((_, joint)) = twice {
                r.conflict(JOINTS, format!("`{}/{}` is here twice: add its coefficients", joint.model, joint.joint));
            }
            return Some(LawSpec::Sum { joints, coefficients, offset, compliance });
        }
        let Ok(joints) = <[JointRef; 2]>::try_from(joints) else {
            r.wrong(JOINTS, "two joints, or `coefficients` with a number for each", format!("{found}"));
            return None;
        };
        if curved {
            let given = polynomial?;
            let mut coefficients = [0.0; 5];
            if !(2..=coefficients.len()).contains(&given.len()) {
                r.wrong(POLYNOMIAL, "2 to 5 numbers", given.len().to_string());
                return None;
            }
            coefficients[..given.len()].copy_from_slice(&given);
            if coefficients[1..] == [0.0; 4] {
                r.wrong(POLYNOMIAL, "numbers of which one after the first is not 0", "a constant");
            }
            return Some(LawSpec::Polynomial { joints, coefficients, compliance });
        }
        Some(LawSpec::Coupler { joints, ratio, offset, compliance })
    }
}

/// Springs and dampers of a bushing, along and about the axes.
fn springs(r: &mut Reader<'_>, required: bool) -> Option<([ComplianceSpec; 3], [ComplianceSpec; 3])> {
    let mut of = |stiffness: &Optional<Vector<3>>, damping: &WithDefault<Vector<3>>| {
        let k = if required { r.get_required(stiffness) } else { r.get(stiffness) };
        let c = r.get(damping);
        for (key, values) in [(stiffness.key(), k.unwrap_or_default()), (damping.key(), c)] {
            if let Some(value) = values.into_iter().find(|x| *x < 0.0) {
                r.wrong(key, "numbers that are not negative", format!("{value}"));
            }
        }
        k.map(|k| [0, 1, 2].map(|i| ComplianceSpec { stiffness: k[i], damping: c[i] }))
    };
    let (linear, angular) = (of(&FORCE_STIFFNESS, &FORCE_DAMPING), of(&TORQUE_STIFFNESS, &TORQUE_DAMPING));
    linear.zip(angular)
}

/// Checks that names are unique and models exist.
pub(super) fn check(r: &Reader<'_>, list: impl Key, constraints: &[ConstraintSpec], models: &Names<'_>) {
    let mut seen = Names::default();
    for (i, constraint) in constraints.iter().enumerate() {
        let path = |key: &dyn Key| format!("{}[{i}].{}", r.path_of(&list), key.key());
        if !seen.insert(&constraint.name) {
            let message = format!("an earlier constraint is named `{}` too", constraint.name);
            r.report(constraint.at, FaultKind::Conflict { path: path(&NAME), message });
        }
        for (frame, key) in constraint.law.frames().iter().zip([A, B]) {
            if let Some((model, _)) = &frame.link {
                models.check(model, "model", || format!("{}.{}", path(&key), LINK.key()), frame.at, r.loader());
            }
        }
        for joint in constraint.law.joints() {
            models.check(&joint.model, "model", || path(&JOINTS), joint.at, r.loader());
        }
    }
}

/// Stiffness and damping, if either is given.
fn compliance(r: &mut Reader<'_>, stiffness: &Optional<Number>, damping: &Optional<Number>) -> Option<ComplianceSpec> {
    let (k, c) = (r.get(stiffness), r.get(damping));
    if r.has(damping) && !r.has(stiffness) {
        r.conflict(damping, format!("damping belongs to a compliant constraint: give `{}` too", stiffness.key()));
    }
    k.map(|stiffness| ComplianceSpec { stiffness, damping: c.unwrap_or(0.0) })
}

pub(super) const LINK: Needs<LinkOf> = needs("link", LinkOf, "`MODEL/LINK`, or `world`");
const POSE: Optional<Section<Pose>> = optional("pose", pose::SECTION, "identity", "of the frame on the link");

fn read_frame(r: &mut Reader<'_>) -> Option<FrameSpec> {
    let (link, pose) = (r.get(&LINK), r.get(&POSE).unwrap_or_default());
    Some(FrameSpec { link: link?, at: r.at_key(LINK), pose })
}

/// `world` or `MODEL/LINK`.
pub(super) struct LinkOf;

impl Decode for LinkOf {
    type Output = Option<(String, String)>;
    fn expects(&self) -> String {
        "world or a link as `model/link`".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Self::Output> {
        if (Text { about: "world or a link as `model/link`" }).decode(item)? == "world" {
            return Some(None);
        }
        ModelElement { what: "link" }.decode(item).map(Some)
    }
}
