//! The structure of a plant: bodies in a tree, movable joints, and the layout of positions and velocities.
//!
//! **Order.** Body 0 is the world; a body comes after its parent; the bodies of a model are contiguous. Positions and
//! velocities run model by model in the order given; in a model the floating base comes first (q = [qw qx qy qz x y z],
//! v = [ω; ṗ], both in world at the body origin), then the movable joints in document order.
//!
//! **Cliques.** The bodies that one root joint carries form a *kinematic tree*. A clique is a contiguous range of
//! velocities that contains at least one kinematic tree. If the velocities of two kinematic trees interleave (a model
//! welded to the link of another one, with a third model listed between them; or two arms on a fixed root whose joints
//! alternate in the file), these trees share one clique. To avoid that, list a model that is welded to another one
//! directly after it.
//!
//! **Nodes.** A node is a movable joint with all bodies that move rigidly with its child. Dynamics runs over nodes;
//! links welded together cost nothing.

use super::joint::JointMap;
use super::model::{Inertia, JointKind, Mimic};
use super::name_order::NameOrder;
use kinegraph_core::convex::{Coordinate, DryFriction, JointLimit};
use nalgebra::{Isometry3, Matrix3, Vector3};
use std::ops::Range;

/// A body of the tree.
#[derive(Clone, Debug)]
pub struct Body {
    /// Full name, `model/link` (`world` for body 0).
    pub name: String,
    /// Index of its model (`None` for the world).
    pub model: Option<usize>,
    /// The parent body.
    pub parent: usize,
    /// The movable joint between it and its parent, `None` if it is welded to that. Index into [`Tree::joints`].
    pub joint: Option<usize>,
    /// Its own mass properties; `None` if it is massless.
    pub inertia: Option<Inertia>,
    /// The clique that moves it; `None` if it is fixed to the world.
    pub clique: Option<usize>,
    /// The kinematic tree that it belongs to; `None` if it is fixed to the world.
    pub tree: Option<usize>,
    /// The node it is part of; `None` if it is fixed to the world.
    pub(crate) node: Option<usize>,
    /// Pose in the frame of its node (in the world, if it has no node).
    pub(crate) X_NB: Isometry3<f64>,
    /// Rotation of that pose, and a flag that is true if the pose is the identity.
    pub(crate) R_NB: Matrix3<f64>,
    pub(crate) leads: bool,
}

/// A movable joint of the tree.
#[derive(Clone, Debug)]
pub struct TreeJoint {
    /// Full name, `model/joint`; a floating base has the name of its link.
    pub name: String,
    /// Its kind.
    pub kind: JointKind,
    /// Index of its model.
    pub model: usize,
    /// Its child body.
    pub body: usize,
    /// Its positions.
    pub positions: Range<usize>,
    /// Its velocities.
    pub velocities: Range<usize>,
    /// The joint that it follows as a mimic joint of the file. The tree treats it as a free joint.
    pub mimic: Option<Mimic>,
}

/// The part of the tree that one model became.
#[derive(Clone, Debug)]
pub struct ModelPart {
    /// Name of the model in the plant.
    pub name: String,
    /// Its bodies; the root link comes first.
    pub bodies: Range<usize>,
    /// Its movable joints.
    pub joints: Range<usize>,
    /// Its positions.
    pub positions: Range<usize>,
    /// Its velocities.
    pub velocities: Range<usize>,
}

/// A movable joint and all bodies that move rigidly with its child.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub parent: Option<usize>,
    /// The first node of its kinematic tree.
    pub root: usize,
    pub clique: usize,
    pub q: usize,
    pub v: usize,
    pub nv: usize,
    pub map: JointMap,
    /// Sum of the welded bodies: mass, centre of mass and inertia about it, in the node's frame.
    pub mass: f64,
    pub com: Vector3<f64>,
    pub inertia: Matrix3<f64>,
    /// Inverse of `inertia` if the node is a floating body without joints on it.
    pub alone: Option<Matrix3<f64>>,
}

impl Node {
    /// The velocities of its joint.
    pub fn velocities(&self) -> Range<usize> {
        self.v..self.v + self.nv
    }
}

/// Treatment of the reflected inertia of rotors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Armature {
    /// Included on the diagonal of the mass matrix, as in a plant.
    Included,
    /// Ignored: the rigid bodies alone.
    Ignored,
}

/// A range of velocities that no other one is coupled to by inertia, and the range of its block of the mass matrix.
#[derive(Clone, Debug)]
pub(crate) struct Clique {
    pub velocities: Range<usize>,
    pub block: Range<usize>,
}

/// The structure of a plant. It holds no state, and is built by [`Tree::assemble`].
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) bodies: Vec<Body>,
    pub(crate) joints: Vec<TreeJoint>,
    pub(crate) models: Vec<ModelPart>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) cliques: Vec<Clique>,
    pub(crate) num_positions: usize,
    pub(crate) num_velocities: usize,
    /// Bodies fixed to the world, as one: mass, centre of mass, inertia about it.
    pub(crate) fixed: (f64, Vector3<f64>, Matrix3<f64>),
    pub(crate) total_mass: f64,
    pub(crate) damping: Vec<f64>,
    pub(crate) joint_friction: Vec<DryFriction>,
    /// Springs of joints that their models state: position, velocity, stiffness, rest.
    pub(crate) springs: Vec<(usize, usize, f64, f64)>,
    pub(crate) armature: Vec<f64>,
    pub(crate) effort_limits: Vec<f64>,
    pub(crate) limits: Vec<JointLimit>,
    pub(crate) quaternions: Vec<usize>,
    pub(crate) initial_positions: Vec<f64>,
    pub(crate) initial_velocities: Vec<f64>,
    pub(crate) bodies_by_name: NameOrder,
    pub(crate) joints_by_name: NameOrder,
}

impl Tree {
    /// The bodies; body 0 is the world, and a body comes after its parent.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The movable joints in order of their positions and velocities.
    pub fn joints(&self) -> &[TreeJoint] {
        &self.joints
    }

    /// The models in the order given.
    pub fn models(&self) -> &[ModelPart] {
        &self.models
    }

    /// The body of this full name (`model/link`).
    pub fn body(&self, name: &str) -> Option<usize> {
        self.bodies_by_name.find(name, |i| &self.bodies[i].name)
    }

    /// The movable joint of this full name (`model/joint`).
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints_by_name.find(name, |i| &self.joints[i].name)
    }

    /// Number of positions.
    pub fn num_positions(&self) -> usize {
        self.num_positions
    }

    /// Number of velocities.
    pub fn num_velocities(&self) -> usize {
        self.num_velocities
    }

    /// Velocity range of each clique, in order and without gaps.
    pub fn cliques(&self) -> impl ExactSizeIterator<Item = Range<usize>> + '_ {
        self.cliques.iter().map(|c| c.velocities.clone())
    }

    /// Viscous damping of each velocity \[N s/m, N m s/rad\].
    pub fn damping(&self) -> &[f64] {
        &self.damping
    }

    /// Dry friction of every joint that has any.
    pub fn joint_friction(&self) -> &[DryFriction] {
        &self.joint_friction
    }

    /// Reflected rotor inertia of each velocity \[kg, kg m²\].
    pub fn armature(&self) -> &[f64] {
        &self.armature
    }

    /// Effort limit of each velocity \[N, N m\]; infinite for none.
    pub fn effort_limits(&self) -> &[f64] {
        &self.effort_limits
    }

    /// Stops of the single-axis joints that have at least one.
    pub fn limits(&self) -> &[JointLimit] {
        &self.limits
    }

    /// First position of every unit quaternion (w, x, y, z) among the positions.
    pub fn quaternions(&self) -> &[usize] {
        &self.quaternions
    }

    /// Kind of coordinate of each velocity.
    pub fn coordinates(&self) -> Vec<Coordinate> {
        let of = |joint: &TreeJoint| match joint.kind {
            JointKind::Prismatic => vec![Coordinate::Length],
            JointKind::Universal => vec![Coordinate::Angle; 2],
            JointKind::Planar => vec![Coordinate::Length, Coordinate::Length, Coordinate::Angle],
            JointKind::Ball => vec![Coordinate::Spin; 3],
            JointKind::Floating => [[Coordinate::Spin; 3], [Coordinate::Length; 3]].concat(),
            _ => vec![Coordinate::Angle],
        };
        self.joints.iter().flat_map(of).collect()
    }

    /// Initial positions: floating bases at their initial pose, every other joint at the position that its model states
    /// (by default zero).
    pub fn initial_positions(&self) -> &[f64] {
        &self.initial_positions
    }

    /// Initial velocities: floating bases as given, every other joint at rest.
    pub fn initial_velocities(&self) -> &[f64] {
        &self.initial_velocities
    }

    /// True if the body's clique is exactly its own six free velocities, so that its Jacobian is the identity.
    pub fn is_free(&self, body: usize) -> bool {
        let Some(node) = self.bodies[body].node else { return false };
        let node = &self.nodes[node];
        self.bodies[body].leads
            && matches!(node.map, JointMap::Floating)
            && self.cliques[node.clique].velocities.len() == node.nv
    }

    /// The mass of the body; if that is zero, the mass of all bodies welded to it \[kg\].
    pub fn body_mass(&self, body: usize) -> f64 {
        let own = self.bodies[body].inertia.map_or(0.0, |i| i.mass);
        if own > 0.0 { own } else { self.bodies[body].node.map_or(0.0, |n| self.nodes[n].mass) }
    }

    /// Mass of all bodies, those fixed to the world included \[kg\].
    pub fn total_mass(&self) -> f64 {
        self.total_mass
    }

    /// Names of the positions: `model.joint.q`, or `model.link.qw … z` for a floating base.
    pub fn position_names(&self) -> Vec<String> {
        self.names(|kind| match kind {
            JointKind::Floating => &["qw", "qx", "qy", "qz", "x", "y", "z"],
            JointKind::Ball => &["qw", "qx", "qy", "qz"],
            JointKind::Planar => &["x", "y", "angle"],
            JointKind::Universal => &["qx", "qy"],
            _ => &["q"],
        })
    }

    /// Names of the velocities: `model.joint.v`, or `model.link.wx … vz` for a floating base.
    pub fn velocity_names(&self) -> Vec<String> {
        self.names(|kind| match kind {
            JointKind::Floating => &["wx", "wy", "wz", "vx", "vy", "vz"],
            JointKind::Ball => &["wx", "wy", "wz"],
            JointKind::Planar => &["vx", "vy", "w"],
            JointKind::Universal => &["vx", "vy"],
            _ => &["v"],
        })
    }

    /// Units of the positions, in the order of their names; those without a unit are parts of quaternions.
    pub fn position_units(&self) -> Vec<&'static str> {
        self.of_joints(|kind| match kind {
            JointKind::Floating => &["", "", "", "", "m", "m", "m"],
            JointKind::Ball => &["", "", "", ""],
            JointKind::Planar => &["m", "m", "rad"],
            JointKind::Universal => &["rad", "rad"],
            JointKind::Prismatic => &["m"],
            _ => &["rad"],
        })
    }

    /// Units of the velocities, in the order of their names.
    pub fn velocity_units(&self) -> Vec<&'static str> {
        self.of_joints(|kind| match kind {
            JointKind::Floating => &["rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"],
            JointKind::Ball => &["rad/s", "rad/s", "rad/s"],
            JointKind::Planar => &["m/s", "m/s", "rad/s"],
            JointKind::Universal => &["rad/s", "rad/s"],
            JointKind::Prismatic => &["m/s"],
            _ => &["rad/s"],
        })
    }

    /// Values that depend on the kind of a joint only, joint by joint.
    fn of_joints(&self, of: impl Fn(JointKind) -> &'static [&'static str]) -> Vec<&'static str> {
        self.joints.iter().flat_map(|joint| of(joint.kind)).copied().collect()
    }

    fn names(&self, of: impl Fn(JointKind) -> &'static [&'static str]) -> Vec<String> {
        let mut names = Vec::with_capacity(self.num_positions);
        for joint in &self.joints {
            // Only the first slash separates model and joint: joints may have slashes in their names.
            let path = joint.name.replacen('/', ".", 1);
            names.extend(of(joint.kind).iter().map(|c| format!("{path}.{c}")));
        }
        names
    }
}
