//! Notes on accepted model files.

mod mjcf;
mod sdf;

pub use mjcf::MjcfNote;
pub use sdf::SdfNote;

use super::mesh::MeshFault;
use super::source::{did_you_mean, quoted, quoted_list, quoted_path, rounded};

/// Kind of a note: something ignored, assumed or doubtful.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoteKind {
    /// The robot has no name.
    #[error("the robot has no name; it is called {} after its file", quoted(.used))]
    NamelessRobot {
        /// The name used.
        used: String,
    },
    /// A number that is valid but likely to be a mistake.
    #[error("`{attribute}` of {element}: {strange}")]
    StrangeNumber {
        /// The element.
        element: String,
        /// Name of the attribute.
        attribute: String,
        /// The reason for the doubt.
        strange: String,
    },
    /// A namespace prefix is used without declaration.
    #[error("the prefix `{prefix}:` is not declared (xmlns:{prefix}=\"...\" on <robot>); read as if it were")]
    UndeclaredPrefix {
        /// The prefix.
        prefix: String,
    },
    /// An element that the format does not know.
    #[error("unknown element <{element}> in {parent} is ignored{}", did_you_mean(.nearest))]
    UnknownElement {
        /// Name of the element.
        element: String,
        /// The element around it.
        parent: String,
        /// The element that was probably meant.
        nearest: Option<String>,
    },
    /// An attribute that the format does not know.
    #[error("unknown attribute `{attribute}` of {element} is ignored{}", did_you_mean(.nearest))]
    UnknownAttribute {
        /// The element.
        element: String,
        /// Name of the attribute.
        attribute: String,
        /// The attribute that was probably meant.
        nearest: Option<String>,
    },
    /// An element that is known and not simulated. Counted together.
    #[error("<{element}> in <{parent}> is not simulated and is ignored")]
    IgnoredElement {
        /// Name of the element.
        element: String,
        /// Name of the element around it.
        parent: String,
    },
    /// An attribute that is known and not simulated. Counted together.
    #[error("`{attribute}` of <{element}> is not simulated and is ignored")]
    IgnoredAttribute {
        /// Name of the element.
        element: String,
        /// Name of the attribute.
        attribute: String,
    },
    /// A second element where one is allowed.
    #[error("{parent} has more than one <{element}>; this one is ignored, the first counts")]
    RepeatedElement {
        /// Name of the element.
        element: String,
        /// The element around it.
        parent: String,
    },
    /// A link or joint that asks to be skipped.
    #[error("{element} is skipped because it says drake_ignore=\"true\"")]
    Skipped {
        /// The element.
        element: String,
    },
    /// A link without mass.
    #[error("link {} has no mass and is treated as a frame", quoted(.link))]
    Massless {
        /// Name of the link.
        link: String,
    },
    /// A link with mass and without rotational inertia.
    #[error("link {} has a mass but no rotational inertia; it is treated as a point mass", quoted(.link))]
    PointMass {
        /// Name of the link.
        link: String,
    },
    /// An inertia that no distribution of mass has.
    #[error(
        "the inertia of link {} violates the triangle inequality: of the principal moments {} kg m² \
         the largest exceeds the sum of the others (often: wrong units, or taken about a point other than the centre of \
         mass); used as written",
        quoted(.link), rounded(.moments)
    )]
    TriangleInequality {
        /// Name of the link.
        link: String,
        /// Principal moments, ascending \[kg m²\].
        moments: [f64; 3],
    },
    /// An inertia on the world.
    #[error("the inertia of link \"world\" is ignored: the world does not move")]
    WorldInertia,
    /// A link whose inertia is impossible by itself, and used as written.
    #[error(
        "the inertia of link {} is impossible by itself (mass {mass} kg, principal moments {} kg m²); used as written, \
         because what it is welded to makes up for it",
        quoted(.link), rounded(.moments)
    )]
    ImpossibleInertia {
        /// Name of the link.
        link: String,
        /// Mass \[kg\].
        mass: f64,
        /// Principal moments, ascending \[kg m²\].
        moments: [f64; 3],
    },
    /// A link with impossible inertia, replaced by the nearest possible one.
    #[error(
        "the inertia of link {} is impossible (mass {mass} kg, principal moments {} kg m²); replaced by the nearest that \
         a body can have, with {} kg m²",
        quoted(.link), rounded(.moments), rounded(.used)
    )]
    ProjectedInertia {
        /// Name of the link.
        link: String,
        /// Mass \[kg\].
        mass: f64,
        /// Principal moments as written, ascending \[kg m²\].
        moments: [f64; 3],
        /// Principal moments used, ascending \[kg m²\].
        used: [f64; 3],
    },
    /// A texture that names no file.
    #[error("a <texture> of material {} names no file and is ignored", quoted(.material))]
    TextureWithoutFile {
        /// Name of the material.
        material: String,
    },
    /// A transmission of a missing joint.
    #[error(
        "{transmission} names the joint {}, which does not exist{}; it is ignored",
        quoted(.name), did_you_mean(.nearest)
    )]
    TransmissionOfNoJoint {
        /// The transmission.
        transmission: String,
        /// Name of the joint.
        name: String,
        /// The joint that was probably meant.
        nearest: Option<String>,
    },
    /// A mesh that does not take part in contact.
    #[error("the collision mesh {} of link {} is ignored: {fault}", quoted_path(.filename), quoted(.link))]
    MeshIgnored {
        /// Name of the link.
        link: String,
        /// The mesh file as written.
        filename: String,
        /// The reason.
        fault: MeshFault,
    },
    /// A mesh that is not declared convex.
    #[error(
        "the collision mesh {} of link {} collides as its convex hull ({vertices} vertices); \
         write <drake:declare_convex/> in <mesh> where that is meant",
        quoted_path(.filename), quoted(.link)
    )]
    MeshHull {
        /// Name of the link.
        link: String,
        /// The mesh file as written.
        filename: String,
        /// Number of vertices of the hull.
        vertices: usize,
    },
    /// A mesh that collides as convex parts.
    #[error(
        "the collision mesh {} of link {} collides as {parts} convex parts, whose volume differs from its own by {error:+.1} %",
        quoted_path(.filename), quoted(.link)
    )]
    MeshDecomposed {
        /// Name of the link.
        link: String,
        /// The mesh file as written.
        filename: String,
        /// Number of parts.
        parts: usize,
        /// Difference of their volume from that of the mesh \[%\].
        error: f64,
    },
    /// A mesh that collides as it is.
    #[error(
        "the collision mesh {} of link {} collides as its triangles ({triangles}, in {faces} flat faces), rigid and from \
         their front side",
        quoted_path(.filename), quoted(.link)
    )]
    MeshExact {
        /// Name of the link.
        link: String,
        /// The mesh file as written.
        filename: String,
        /// Number of triangles.
        triangles: usize,
        /// Number of flat faces.
        faces: usize,
    },
    /// A hull of many corners that is simplified.
    #[error(
        "the collision mesh {} of link {} has {points} points; its hull takes {vertices} of them as corners, the others \
         are at most half a percent of its size outside",
        quoted(.filename), quoted(.link)
    )]
    MeshSimplified {
        /// Name of the link.
        link: String,
        /// The mesh file as written.
        filename: String,
        /// Number of points of the mesh.
        points: usize,
        /// Number of corners of the hull.
        vertices: usize,
    },
    /// A visual mesh that is missing.
    #[error("the visual mesh {} of link {} is not found: {fault}", quoted_path(.filename), quoted(.link))]
    VisualMissing {
        /// Name of the link.
        link: String,
        /// The mesh file as written.
        filename: String,
        /// The reason.
        fault: MeshFault,
    },
    /// A visual shape that is not supported.
    #[error(
        "a <visual> of link {} has the unknown shape <{found}>{} and is not drawn",
        quoted(.link), did_you_mean(.nearest)
    )]
    UnknownVisual {
        /// Name of the link.
        link: String,
        /// Name of the shape.
        found: String,
        /// The shape that was probably meant.
        nearest: Option<String>,
    },
    /// A material without definition.
    #[error(
        "a <visual> of link {} names the material {}, which is not stated before it or beside the links{}",
        quoted(.link), quoted(.material), did_you_mean(.nearest)
    )]
    UnknownMaterial {
        /// Name of the link.
        link: String,
        /// Name of the material.
        material: String,
        /// The material that was probably meant.
        nearest: Option<String>,
    },
    /// A second material of the same name.
    #[error("a second material is named {}; it is ignored, the first counts", quoted(.material))]
    RepeatedMaterial {
        /// Name of the material.
        material: String,
    },
    /// A colour outside of the displayable range.
    #[error(
        "the colour {} of material {} has parts outside of 0 to 1, which are limited to that",
        rounded(.rgba), quoted(.material)
    )]
    ColorOutOfRange {
        /// Name of the material.
        material: String,
        /// The colour as written.
        rgba: [f64; 4],
    },
    /// A missing image.
    #[error("the texture {} of material {} is not found: {fault}", quoted_path(.filename), quoted(.material))]
    TextureMissing {
        /// Name of the material.
        material: String,
        /// The file as written.
        filename: String,
        /// The reason.
        fault: MeshFault,
    },
    /// A joint that should have limits has none.
    #[error("joint {} has no <limit>; it moves without limits and its effort is unlimited", quoted(.joint))]
    NoLimit {
        /// Name of the joint.
        joint: String,
    },
    /// A `<limit>` without one of its bounds.
    #[error("<limit> of joint {} has no `{bound}`; there is no {bound} limit", quoted(.joint))]
    NoBound {
        /// Name of the joint.
        joint: String,
        /// The bound: lower, upper or effort.
        bound: &'static str,
    },
    /// Position limits on a continuous joint.
    #[error("joint {} is continuous; its limits `lower` and `upper` are ignored", quoted(.joint))]
    LimitOnContinuous {
        /// Name of the joint.
        joint: String,
    },
    /// A lower limit above the upper one.
    #[error("the limits of joint {} are reversed, lower {lower} above upper {upper}: it has none", quoted(.joint))]
    ReversedLimits {
        /// Name of the joint.
        joint: String,
        /// Lower limit \[rad or m\].
        lower: f64,
        /// Upper limit \[rad or m\].
        upper: f64,
    },
    /// Limits that exclude zero.
    #[error("position zero of joint {} is outside its limits {lower} to {upper}; give it an initial position", quoted(.joint))]
    ZeroOutsideLimits {
        /// Name of the joint.
        joint: String,
        /// Lower limit \[rad or m\].
        lower: f64,
        /// Upper limit \[rad or m\].
        upper: f64,
    },
    /// A joint whose actuator has no effort.
    #[error("the effort limit of joint {} is zero: an actuator cannot move it", quoted(.joint))]
    ZeroEffort {
        /// Name of the joint.
        joint: String,
    },
    /// A joint that cannot follow another because it has no single position.
    #[error("<mimic> of joint {} is ignored: the joint is {kind} and has no single position", quoted(.joint))]
    MimicIgnored {
        /// Name of the joint.
        joint: String,
        /// Its type.
        kind: &'static str,
    },
    /// A transmission that does not make an actuator.
    #[error("transmission {} is ignored: its type {} is not a SimpleTransmission", quoted(.transmission), quoted(.found))]
    TransmissionType {
        /// Name of the transmission.
        transmission: String,
        /// Its type.
        found: String,
    },
    /// A transmission to a joint that an actuator cannot drive.
    #[error("a transmission to joint {} is ignored: the joint is {kind}", quoted(.joint))]
    TransmissionIgnored {
        /// Name of the joint.
        joint: String,
        /// Its type.
        kind: &'static str,
    },
    /// A joint that moves nothing.
    #[error("joint {} moves only massless links, so its motion is not determined", quoted(.joint))]
    MovesNothing {
        /// Name of the joint.
        joint: String,
    },
    /// A joint that moves nothing, and is fixed.
    #[error("joint {} moves only massless links and is treated as fixed: nothing determines its motion", quoted(.joint))]
    HeldMassless {
        /// Name of the joint.
        joint: String,
    },
    /// Something that is simulated differently from the file, or not at all.
    #[error("{element} {how}")]
    ElementDiffers {
        /// The element.
        element: String,
        /// The difference.
        how: &'static str,
    },
    /// Parts that are not connected.
    #[error(
        "the robot falls into {} separate parts, whose root links are {}: each floats on its own, and `base` is left out",
        .roots.len(), quoted_list(.roots)
    )]
    SeveralRoots {
        /// The links without a parent, in file order.
        roots: Vec<String>,
    },
    /// A motor with gains of its own.
    #[error(
        "the motor of joint {} is a servo by its controller_gains: what is connected is the position that it holds \
         (`actuated: all` makes all motors plain)",
        quoted(.joint)
    )]
    Servo {
        /// Name of the joint.
        joint: String,
    },
    /// A note on MJCF.
    #[error(transparent)]
    Mjcf(#[from] MjcfNote),
    /// A note on SDFormat.
    #[error(transparent)]
    Sdf(#[from] SdfNote),
    /// More notes than are listed.
    #[error("... and {count} more notes")]
    More {
        /// Their number.
        count: usize,
    },
}

impl NoteKind {
    /// True if equal notes are counted instead of listed.
    pub(super) fn is_counted(&self) -> bool {
        match self {
            Self::Mjcf(note) => note.is_counted(),
            _ => matches!(self, Self::IgnoredElement { .. } | Self::IgnoredAttribute { .. }),
        }
    }

    /// True if something differs from the file. A frame is exactly a link without mass, and an earlier version is read
    /// by its own meaning, so that these notes are no departures.
    pub fn departs(&self) -> bool {
        !matches!(self, Self::Massless { .. } | Self::Sdf(SdfNote::AxesInModel { .. }))
    }

    /// True if a number is likely to be wrong, or something that the file names is not drawn.
    pub fn is_doubt(&self) -> bool {
        matches!(self, Self::StrangeNumber { .. } | Self::VisualMissing { .. })
    }

    /// True if it is about shapes that should collide and do not.
    pub fn is_loss(&self) -> bool {
        match self {
            Self::Mjcf(note) => note.is_loss(),
            _ => matches!(self, Self::MeshIgnored { .. }),
        }
    }
}
