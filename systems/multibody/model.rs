//! A robot or object as plain data: the contents of a model file, and its place in a plant.

use super::proximity::Proximity;
use super::scene_data::{SceneData, Surface};
use kinegraph_core::scene::{Appearance, Geometry};
use kinegraph_geometry::{MassProperties, Shape};
use nalgebra::{Isometry3, Matrix3, Vector3};
use std::sync::Arc;

/// Links connected by joints into one tree.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Name given by the file.
    pub name: String,
    /// The links, in document order.
    pub links: Vec<Link>,
    /// The joints, in document order.
    pub joints: Vec<Joint>,
    /// Names of the joints that a transmission drives, in document order; empty if the file has none.
    pub transmissions: Vec<String>,
    /// Data beyond links and joints, which formats that describe a scene rather than a robot have.
    pub scene: SceneData,
}

/// A rigid body.
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// Name, unique within the model.
    pub name: String,
    /// True if the link only connects two joints of one body: it has neither mass nor shapes, and for contact the link
    /// beyond it counts.
    pub between_joints: bool,
    /// Mass properties; `None` for a massless frame.
    pub inertia: Option<Inertia>,
    /// Collision shapes.
    pub collisions: Vec<Collision>,
    /// Compliance of collision shapes, by index, where the file gives it.
    pub proximity: Vec<(usize, Proximity)>,
    /// Visual shapes, which take no part in contact.
    pub visuals: Vec<Visual>,
}

/// Mass properties of a body B.
#[derive(Clone, Copy, Debug)]
pub struct Inertia {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the body frame \[m\].
    pub p_BoBcm: Vector3<f64>,
    /// Rotational inertia about the centre of mass, in body axes \[kg m²\].
    pub I_BBcm: Matrix3<f64>,
}

impl Inertia {
    /// Mass properties of a uniform solid: a shape of this density \[kg/m³\], placed at `X_BG` in the body frame.
    /// `None` for surfaces (triangle meshes, the ground).
    pub fn of_shape(shape: &Shape, density: f64, X_BG: &Isometry3<f64>) -> Option<Self> {
        let MassProperties { volume, p_GoGcm, I_GGcm } = shape.mass_properties()?;
        let R = X_BG.rotation.to_rotation_matrix();
        Some(Inertia {
            mass: density * volume,
            p_BoBcm: X_BG.rotation * p_GoGcm + X_BG.translation.vector,
            I_BBcm: R.matrix() * I_GGcm * R.matrix().transpose() * density,
        })
    }
}

/// A shape fixed to a body.
#[derive(Clone, Debug)]
pub struct Collision {
    /// Name (may be empty).
    pub name: String,
    /// Pose of the shape's frame in the body frame.
    pub X_BG: Isometry3<f64>,
    /// The shape.
    pub shape: Shape,
    /// Its material, and filter of contact partners, where the file gives them.
    pub surface: Option<Surface>,
}

/// A visual shape, fixed to a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Visual {
    /// Name (may be empty).
    pub name: String,
    /// Pose of the shape's frame in the body frame.
    pub X_BG: Isometry3<f64>,
    /// The shape.
    pub geometry: Geometry,
    /// Appearance; `None` if the file does not give it. Shared, because many shapes may have one material.
    pub appearance: Option<Arc<Appearance>>,
}

/// Kinds of joints, by their freedoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// None.
    Fixed,
    /// Rotation about the axis, with limits.
    Revolute,
    /// Rotation about the axis, without limits.
    Continuous,
    /// Translation along the axis.
    Prismatic,
    /// Rotation about the axis and travel along it, in proportion ([`Joint::pitch`]): q is the angle.
    Screw,
    /// Rotation about x of F, then about y as turned by that: two angles.
    Universal,
    /// Motion in the plane of x and y of F: q = (x, y, angle about z).
    Planar,
    /// Rotation about every axis: q = quaternion (w, x, y, z) of M in F, v = angular velocity of M in F, in M axes.
    Ball,
    /// All six; only from the world.
    Floating,
}

/// A joint between frame F on the parent and frame M on the child; at zero position the two coincide.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name, unique within the model.
    pub name: String,
    /// Its kind.
    pub kind: JointKind,
    /// Name of the parent link.
    pub parent: String,
    /// Name of the child link.
    pub child: String,
    /// Pose of F in the parent link's frame.
    pub X_PF: Isometry3<f64>,
    /// Pose of M in the child link's frame (identity in URDF).
    pub X_BM: Isometry3<f64>,
    /// Unit axis, the same in F and M.
    pub axis: Vector3<f64>,
    /// Travel of a screw along its axis per revolution \[m\].
    pub pitch: f64,
    /// Lower and upper stop \[rad or m\]; infinite for none.
    pub limits: (f64, f64),
    /// Largest effort of an actuator \[N m or N\]; infinite if the file states none.
    pub effort: f64,
    /// Viscous damping \[N m s/rad or N s/m\].
    pub damping: f64,
    /// Dry friction: the largest effort \[N m or N\] that resists motion, at any speed.
    pub friction: f64,
    /// The rate at which dry friction reaches its limit \[rad/s or m/s\]; a load that it holds creeps at a fraction of
    /// that. At least a tenth of the plant's stiction tolerance.
    pub creep: f64,
    /// Reflected rotor inertia \[kg m² or kg\].
    pub armature: f64,
    /// Spring of a joint with one coordinate: stiffness \[N m/rad or N/m\] and the position without force.
    pub spring: Option<(f64, f64)>,
    /// Initial position of a joint with one coordinate, if nothing else sets it \[rad or m\].
    pub start: f64,
    /// The joint this one follows, if it is a mimic joint.
    pub mimic: Option<Mimic>,
}

impl Joint {
    /// A joint between two links of the model, its frames at the links' origins, about or along x, without stops,
    /// effort limit, damping, friction, armature, spring or mimicry, starting at zero. Other fields are set as in
    /// `Joint { axis: Vector3::y(), ..Joint::new("hip", JointKind::Revolute, "trunk", "thigh") }`.
    pub fn new(name: impl Into<String>, kind: JointKind, parent: impl Into<String>, child: impl Into<String>) -> Self {
        Joint {
            name: name.into(),
            kind,
            parent: parent.into(),
            child: child.into(),
            X_PF: Isometry3::identity(),
            X_BM: Isometry3::identity(),
            axis: Vector3::x(),
            pitch: 0.0,
            limits: (f64::NEG_INFINITY, f64::INFINITY),
            effort: f64::INFINITY,
            damping: 0.0,
            friction: 0.0,
            creep: 0.0,
            armature: 0.0,
            spring: None,
            start: 0.0,
            mimic: None,
        }
    }
}

/// `q = multiplier * q_of(joint) + offset`.
#[derive(Clone, Debug)]
pub struct Mimic {
    /// Name of the followed joint.
    pub joint: String,
    /// Ratio.
    pub multiplier: f64,
    /// Offset \[rad or m\].
    pub offset: f64,
}

/// A model as a part of a plant.
#[derive(Clone, Debug)]
pub struct ModelInstance<'a> {
    /// Its name in the plant.
    pub name: String,
    /// The model.
    pub model: &'a Model,
    /// Base of its root link.
    pub base: Base,
}

/// Base of a model: the attachment of its root link R.
#[derive(Clone, Debug)]
pub enum Base {
    /// Fixed to the world.
    Fixed {
        /// Pose of R in the world.
        X_WR: Isometry3<f64>,
    },
    /// Free to move.
    Floating {
        /// Pose at the start.
        X_WR: Isometry3<f64>,
        /// Angular velocity at the start, in world \[rad/s\].
        w_WR: Vector3<f64>,
        /// Velocity of the link's origin at the start, in world \[m/s\].
        v_WR: Vector3<f64>,
    },
    /// Welded to a link L of another model.
    Welded {
        /// The other model.
        model: String,
        /// Its link L.
        link: String,
        /// Pose of R in L.
        X_LR: Isometry3<f64>,
    },
}

impl Base {
    /// Fixed to the world at its origin.
    pub fn fixed() -> Self {
        Base::Fixed { X_WR: Isometry3::identity() }
    }

    /// Free, at rest at a pose.
    pub fn floating(X_WR: Isometry3<f64>) -> Self {
        Base::Floating { X_WR, w_WR: Vector3::zeros(), v_WR: Vector3::zeros() }
    }
}
