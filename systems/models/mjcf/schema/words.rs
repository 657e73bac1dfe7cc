//! Words of the format, with what they mean to readers.

use kinegraph_core::scene::{PatternMark, PatternRule};
use kinegraph_multibody::JointKind;

/// The words of a list.
pub fn names<T>(words: &[(&'static str, T)]) -> Vec<&'static str> {
    words.iter().map(|(word, _)| *word).collect()
}

/// Yes or no.
pub const FLAG: [(&str, bool); 2] = [("true", true), ("false", false)];
/// On or off.
pub const SWITCH: [(&str, bool); 2] = [("enable", true), ("disable", false)];
/// Yes, no, or neither: the compiler decides, or what is stated besides.
pub const AUTO: [(&str, Option<bool>); 3] = [("true", Some(true)), ("false", Some(false)), ("auto", None)];
/// Unit of angles: true of degrees.
pub const ANGLES: [(&str, bool); 2] = [("degree", true), ("radian", false)];
/// Coordinates: true of local ones.
pub const COORDINATES: [(&str, bool); 2] = [("local", true), ("global", false)];

/// The source of inertias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FromGeom {
    /// Geoms where there is no `<inertial>`.
    Auto,
    /// Geoms.
    Always,
    /// `<inertial>`.
    Never,
}

/// Sources of inertias.
pub const FROM_GEOM: [(&str, FromGeom); 3] =
    [("auto", FromGeom::Auto), ("true", FromGeom::Always), ("false", FromGeom::Never)];

/// Types of joints.
pub const JOINTS: [(&str, JointKind); 4] = [
    ("hinge", JointKind::Revolute),
    ("slide", JointKind::Prismatic),
    ("ball", JointKind::Ball),
    ("free", JointKind::Floating),
];

/// The type of a geom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeomType {
    /// A half-space.
    Plane,
    /// Heights over a grid.
    HeightField,
    /// A ball.
    Sphere,
    /// A cylinder with round ends.
    Capsule,
    /// An ellipsoid.
    Ellipsoid,
    /// A cylinder.
    Cylinder,
    /// A box.
    Box,
    /// A surface of triangles.
    Mesh,
    /// A field of signed distances.
    Sdf,
}

/// Types of geoms.
pub const GEOMS: [(&str, GeomType); 9] = [
    ("plane", GeomType::Plane),
    ("hfield", GeomType::HeightField),
    ("sphere", GeomType::Sphere),
    ("capsule", GeomType::Capsule),
    ("ellipsoid", GeomType::Ellipsoid),
    ("cylinder", GeomType::Cylinder),
    ("box", GeomType::Box),
    ("mesh", GeomType::Mesh),
    ("sdf", GeomType::Sdf),
];

/// Types of sites.
pub const SITES: [(&str, GeomType); 5] = [
    ("sphere", GeomType::Sphere),
    ("capsule", GeomType::Capsule),
    ("ellipsoid", GeomType::Ellipsoid),
    ("cylinder", GeomType::Cylinder),
    ("box", GeomType::Box),
];

/// Shapes in the fluid: true of an ellipsoid.
pub const FLUID_SHAPES: [(&str, bool); 2] = [("none", false), ("ellipsoid", true)];

/// The part of a mesh that has mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// The volume, every tetrahedron as positive.
    Legacy,
    /// The volume that the surface encloses.
    Exact,
    /// The volume of the convex hull.
    Convex,
    /// The surface.
    Shell,
}

/// Inertias of meshes.
pub const FILLED: [(&str, Filled); 4] =
    [("legacy", Filled::Legacy), ("exact", Filled::Exact), ("convex", Filled::Convex), ("shell", Filled::Shell)];

/// Types of textures: true of the six sides of a cube, none of what stands around the scene.
pub const TEXTURES: [(&str, Option<bool>); 3] = [("2d", Some(false)), ("cube", Some(true)), ("skybox", None)];

/// Rules by which textures are drawn.
pub const PATTERNS: [(&str, Option<PatternRule>); 4] = [
    ("none", None),
    ("flat", Some(PatternRule::Flat)),
    ("checker", Some(PatternRule::Checker)),
    ("gradient", Some(PatternRule::Gradient)),
];

/// Marks drawn over such textures.
pub const MARKS: [(&str, PatternMark); 4] = [
    ("none", PatternMark::None),
    ("edge", PatternMark::Edge),
    ("cross", PatternMark::Cross),
    ("random", PatternMark::Dots),
];

/// The type of a gain or a bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorType {
    /// A number.
    Fixed,
    /// A number, and multiples of length and velocity.
    Affine,
    /// The curves of a muscle.
    Muscle,
}

/// Types of gains and biases; none: not simulated.
pub const FACTORS: [(&str, Option<FactorType>); 6] = [
    ("fixed", Some(FactorType::Fixed)),
    ("none", Some(FactorType::Fixed)),
    ("affine", Some(FactorType::Affine)),
    ("muscle", Some(FactorType::Muscle)),
    ("dcmotor", None),
    ("user", None),
];

/// The dynamics of an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dynamics {
    /// No activation.
    None,
    /// The integral of the control.
    Integrator,
    /// The control, filtered.
    Filter,
    /// The dynamics of a muscle.
    Muscle,
    /// Not simulated.
    Other,
}

/// Dynamics of activations.
pub const DYNAMICS: [(&str, Dynamics); 7] = [
    ("none", Dynamics::None),
    ("integrator", Dynamics::Integrator),
    ("filter", Dynamics::Filter),
    ("filterexact", Dynamics::Filter),
    ("muscle", Dynamics::Muscle),
    ("dcmotor", Dynamics::Other),
    ("user", Dynamics::Other),
];

/// An object with a frame that sensors measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// The inertia of a body.
    Body,
    /// A body.
    XBody,
    /// A geom.
    Geom,
    /// A site.
    Site,
    /// A camera.
    Camera,
}

/// Objects that sensors measure.
pub const OBJECTS: [(&str, Object); 5] = [
    ("body", Object::Body),
    ("xbody", Object::XBody),
    ("geom", Object::Geom),
    ("site", Object::Site),
    ("camera", Object::Camera),
];

/// Types of the first joint of a cable.
pub const CABLE_ENDS: [(&str, Option<&str>); 4] =
    [("free", Some("free")), ("ball", Some("ball")), ("fixed", Some("ball")), ("none", None)];
