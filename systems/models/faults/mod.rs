//! Faults of model files.

mod mjcf;
mod sdf;

pub use mjcf::MjcfFault;
pub use sdf::SdfFault;

use super::mesh::MeshFault;
use super::source::{Place, cut, did_you_mean, quoted, quoted_list, rounded};
use kinegraph_core::sizes::{OutOfRange, show_number};

/// Kind of a fault of a file. Its message names the element and gives the remedy if there is one.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// The file cannot be opened or read.
    #[error("cannot read the file: {reason}")]
    Unreadable {
        /// Message of the operating system.
        reason: String,
    },
    /// The file exceeds the size limit.
    #[error("the file is larger than {limit_mib} MiB, the most that is read")]
    TooLarge {
        /// The limit \[MiB\].
        limit_mib: u64,
    },
    /// The file is not text.
    #[error("the file is not UTF-8 text from here on; save it as UTF-8")]
    NotUtf8,
    /// The XML is malformed.
    #[error("not well-formed XML: {message}")]
    Xml {
        /// Message of the XML parser.
        message: String,
    },
    /// The file has a document type declaration.
    #[error(
        "a <!DOCTYPE ...> declaration is not accepted (it can define entities that expand without bound); remove it"
    )]
    Doctype,
    /// The file is a xacro template.
    #[error("this is a xacro template ({} is not expanded); expand it first: xacro FILE -o OUT.urdf", quoted(.found))]
    Xacro {
        /// The first thing that xacro would replace.
        found: String,
    },
    /// The outermost element is not `<robot>`.
    #[error("the outermost element of a URDF file is <robot>, this is <{found}>{}", format_of(.found))]
    NotRobot {
        /// Name of the outermost element.
        found: String,
    },
    /// There is not a single link.
    #[error("the robot has no <link>")]
    NoLinks,
    /// A required attribute is absent.
    #[error("{element} needs the attribute `{attribute}`{}", instead_of(.written))]
    MissingAttribute {
        /// The element.
        element: String,
        /// Name of the attribute.
        attribute: &'static str,
        /// A similar attribute that is present.
        written: Option<String>,
    },
    /// A name is the empty text.
    #[error("the name of this {element} is empty")]
    EmptyName {
        /// The kind of element: link or joint.
        element: &'static str,
    },
    /// A required child element is absent.
    #[error("{element} needs a <{child}> element")]
    MissingElement {
        /// The element.
        element: String,
        /// Name of the child element.
        child: &'static str,
    },
    /// Two links, or two joints, have the same name.
    #[error("a second {element} is named {}; the first is at {first}", quoted(.name))]
    DuplicateName {
        /// The kind of element: link or joint.
        element: &'static str,
        /// The name.
        name: String,
        /// Place of the first one.
        first: Place,
    },
    /// A text is not a number.
    #[error("`{attribute}` of {element} is {}", not_a_number(.text))]
    NotANumber {
        /// The element.
        element: String,
        /// Name of the attribute.
        attribute: String,
        /// The text in the number's place.
        text: String,
    },
    /// A number is infinite or not a number, or too large to represent.
    #[error("`{attribute}` of {element} is {}, which is not a finite number", quoted(.text))]
    NotFinite {
        /// The element.
        element: String,
        /// Name of the attribute.
        attribute: String,
        /// The number as written.
        text: String,
    },
    /// A number that is beyond the range of its quantity.
    #[error("`{attribute}` of {element} is {}, expected {expected}", show_number(*.value))]
    OutOfRange {
        /// The element.
        element: String,
        /// Name of the attribute.
        attribute: String,
        /// The number.
        value: f64,
        /// The valid range.
        expected: OutOfRange,
    },
    /// A list of numbers has the wrong length.
    #[error("`{attribute}` of {element} needs {expected} numbers separated by spaces, {} has {found}", quoted(.text))]
    WrongCount {
        /// The element.
        element: String,
        /// Name of the attribute.
        attribute: String,
        /// Number of values expected.
        expected: usize,
        /// Number of values found.
        found: usize,
        /// The whole list as written.
        text: String,
    },
    /// A length is zero or negative.
    #[error("`{attribute}` of {element} must be greater than zero, it is {value}")]
    NotPositive {
        /// The element.
        element: String,
        /// Name of the attribute.
        attribute: String,
        /// The value.
        value: f64,
    },
    /// A quantity that cannot be negative is.
    #[error("`{attribute}` of {element} must not be negative, it is {value}")]
    Negative {
        /// The element.
        element: String,
        /// Name of the attribute.
        attribute: String,
        /// The value.
        value: f64,
    },
    /// A mass is negative, or zero with a rotational inertia.
    #[error("the mass of link {} must be greater than zero, it is {mass} kg{}", quoted(.link), zero_mass_hint(*.mass))]
    Mass {
        /// Name of the link.
        link: String,
        /// The mass \[kg\].
        mass: f64,
    },
    /// A rotational inertia violates the triangle inequality, and every link must be possible.
    #[error(
        "the inertia of link {} is impossible: of its principal moments {} kg m² the largest exceeds the sum of the \
         others (often: wrong units, or taken about a point other than the centre of mass); correct it, or let the reader \
         take it as it is (`inertia: raw`) or the nearest possible one (`inertia: project`)",
        quoted(.link), rounded(.moments)
    )]
    TriangleInequality {
        /// Name of the link.
        link: String,
        /// Principal moments, ascending \[kg m²\].
        moments: [f64; 3],
    },
    /// A collision mesh that is unusable.
    #[error(
        "the collision mesh {} of link {} is lost: {fault}; mend it, or leave such meshes out (`missing_meshes: ignore`)",
        quoted(.filename), quoted(.link)
    )]
    MeshMissing {
        /// Name of the link.
        link: String,
        /// The mesh file as written.
        filename: String,
        /// The reason.
        fault: MeshFault,
    },
    /// A rotational inertia has a negative principal moment.
    #[error(
        "the inertia of link {} is impossible: its principal moments are {} kg m², and none may be \
         negative (often: wrong sign of ixy, ixz or iyz, or wrong units); correct it, or let the reader take the nearest \
         possible one (`inertia: project`)",
        quoted(.link), rounded(.moments)
    )]
    NegativeInertia {
        /// Name of the link.
        link: String,
        /// Principal moments, ascending \[kg m²\].
        moments: [f64; 3],
    },
    /// An orientation is written in two ways.
    #[error("{element} has both `rpy` and `quat_xyzw`; keep one")]
    TwoOrientations {
        /// The element.
        element: String,
    },
    /// A quaternion has no direction.
    #[error("`quat_xyzw` of {element} is all zeros, which is not an orientation")]
    ZeroQuaternion {
        /// The element.
        element: String,
    },
    /// A geometry without a shape.
    #[error("{element} has no shape; shapes are box, sphere, cylinder, capsule, ellipsoid, cone, plane, mesh")]
    NoShape {
        /// The element.
        element: String,
    },
    /// A plane whose normal has no direction.
    #[error("{element} has a normal without direction")]
    ZeroNormal {
        /// The element.
        element: String,
    },
    /// A shape that does not exist or is not supported.
    #[error(
        "{element}: unknown shape <{found}>{}; \
         shapes are box, sphere, cylinder, capsule, ellipsoid, cone, plane, mesh",
        did_you_mean(.nearest)
    )]
    UnknownShape {
        /// The element.
        element: String,
        /// Name of the shape.
        found: String,
        /// The shape that was probably meant.
        nearest: Option<String>,
    },
    /// A joint type that does not exist.
    #[error(
        "joint {} has the unknown type {}{}; types are revolute, continuous, prismatic, fixed, floating, ball, \
         planar, screw, universal",
        quoted(.joint), quoted(.found), did_you_mean(.nearest)
    )]
    UnknownJointType {
        /// Name of the joint.
        joint: String,
        /// The type as written.
        found: String,
        /// The type that was probably meant.
        nearest: Option<String>,
    },
    /// A joint type that exists but cannot be simulated yet.
    #[error(
        "joint {} has the type {}, which is not supported; supported are revolute, continuous, prismatic, fixed, floating, \
         ball, planar, screw, universal",
        quoted(.joint), quoted(.found)
    )]
    UnsupportedJointType {
        /// Name of the joint.
        joint: String,
        /// The type.
        found: String,
    },
    /// A joint that moves along or about no direction.
    #[error("the axis of joint {} is zero; give it a direction, for example xyz=\"0 0 1\"", quoted(.joint))]
    ZeroAxis {
        /// Name of the joint.
        joint: String,
    },
    /// A lower limit above the upper one.
    #[error("the limits of joint {} are reversed: lower {lower} is greater than upper {upper}", quoted(.joint))]
    ReversedLimits {
        /// Name of the joint.
        joint: String,
        /// Lower limit \[rad or m\].
        lower: f64,
        /// Upper limit \[rad or m\].
        upper: f64,
    },
    /// A name that no link has.
    #[error("the {role} of joint {} is link {}, which does not exist{}", quoted(.joint), quoted(.name), did_you_mean(.nearest))]
    UnknownLink {
        /// Name of the joint.
        joint: String,
        /// Role of the link: parent or child.
        role: &'static str,
        /// The name as written.
        name: String,
        /// The link that was probably meant.
        nearest: Option<String>,
    },
    /// A name that no joint has.
    #[error("{element} names the joint {}, which does not exist{}", quoted(.name), did_you_mean(.nearest))]
    UnknownJoint {
        /// The element with the name.
        element: String,
        /// The name as written.
        name: String,
        /// The joint that was probably meant.
        nearest: Option<String>,
    },
    /// A name that nothing of its kind has.
    #[error("{element} names the {what} {}, which does not exist{}", quoted(.name), did_you_mean(.nearest))]
    UnknownName {
        /// The element with the name.
        element: String,
        /// Kind of the thing named.
        what: &'static str,
        /// The name as written.
        name: String,
        /// The name that was probably meant.
        nearest: Option<String>,
    },
    /// A joint from a link to itself.
    #[error("joint {} connects link {} to itself", quoted(.joint), quoted(.link))]
    SelfJoint {
        /// Name of the joint.
        joint: String,
        /// Name of the link.
        link: String,
    },
    /// A link that is the child of two joints.
    #[error(
        "link {} is the child of two joints, {} (at {first_place}) and {}; a link has one parent at most",
        quoted(.link), quoted(.first), quoted(.second)
    )]
    TwoParents {
        /// Name of the link.
        link: String,
        /// Name of the joint that comes first in the file.
        first: String,
        /// Place where that joint names the link.
        first_place: Place,
        /// Name of the joint that comes second.
        second: String,
    },
    /// Joints that form a ring.
    #[error("the joints form a loop through the links {} and back to the first; links and joints must form a tree", quoted_list(.links))]
    Loop {
        /// The links of the loop, parents first.
        links: Vec<String>,
    },
    /// A floating joint in the middle of a robot.
    #[error(
        "floating joint {} starts at link {}, but a floating joint may only start at the root link {}",
        quoted(.joint), quoted(.parent), quoted(.root)
    )]
    FloatingNotFromRoot {
        /// Name of the joint.
        joint: String,
        /// Name of its parent link.
        parent: String,
        /// Name of the root link.
        root: String,
    },
    /// Mimic joints that follow each other in a ring.
    #[error("{}", mimic_ring(.joints))]
    MimicLoop {
        /// The joints of the ring.
        joints: Vec<String>,
    },
    /// A mimic joint that follows one without a single coordinate.
    #[error("joint {} cannot mimic joint {}, which is {kind} and has no single position", quoted(.joint), quoted(.target))]
    MimicTarget {
        /// Name of the mimic joint.
        joint: String,
        /// Name of the joint that it should follow.
        target: String,
        /// Type of that joint.
        kind: &'static str,
    },
    /// A fault of MJCF.
    #[error(transparent)]
    Mjcf(#[from] MjcfFault),
    /// A fault of SDFormat.
    #[error(transparent)]
    Sdf(#[from] SdfFault),
    /// More faults than are listed.
    #[error("... and {count} more faults")]
    More {
        /// Their number.
        count: usize,
    },
}

kinegraph_core::debug_is_message!(FaultKind);

fn instead_of(written: &Option<String>) -> String {
    written.as_ref().map(|name| format!("; is `{}` meant to be it?", cut(name))).unwrap_or_default()
}

fn mimic_ring(joints: &[String]) -> String {
    match joints {
        [joint] => format!("joint {} mimics itself", quoted(joint)),
        _ => format!("the joints {} mimic each other in a ring, so none of them leads", quoted_list(joints)),
    }
}

fn format_of(root: &str) -> &'static str {
    match root {
        "mujoco" => "; this looks like an MJCF (MuJoCo) file",
        "mujocoinclude" => "; this looks like a part of an MJCF (MuJoCo) file, which others include",
        "launch" => "; this looks like a ROS launch file",
        "COLLADA" => "; this looks like a COLLADA mesh",
        _ => "",
    }
}

fn not_a_number(text: &str) -> String {
    if text.is_empty() {
        return "empty; write a number".to_owned();
    }
    let starts_as_number = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let hint = if text.contains(',') {
        "; write decimals with a point and separate numbers by spaces, not commas"
    } else if starts_as_number && text.ends_with(char::is_alphabetic) {
        "; write the number alone: units are metre, kilogram, second and radian"
    } else {
        ""
    };
    format!("{}, which is not a number{hint}", quoted(text))
}

fn zero_mass_hint(mass: f64) -> &'static str {
    if mass == 0.0 {
        " although it has a rotational inertia; give it a mass, remove <inertial>, or let the reader do so (`inertia: project`)"
    } else {
        ""
    }
}
