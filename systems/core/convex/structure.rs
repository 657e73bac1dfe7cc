//! What of a plant never changes: sizes, cliques, bodies, stops, constraints, names.

use super::spin::SpinStructure;
use crate::constraint_kind::ConstraintKind;
use std::ops::Range;

/// What of a plant never changes during a simulation.
#[derive(Clone, Debug, Default)]
pub struct PlantStructure {
    /// Number of positions.
    pub num_positions: usize,
    /// Number of velocities.
    pub num_velocities: usize,
    /// Velocity range of each clique, in order and without gaps.
    pub cliques: Vec<Range<usize>>,
    /// Acceleration of gravity \[m/s²\].
    pub gravity: [f64; 3],
    /// The bodies; body 0 is the world.
    pub bodies: Vec<BodyStructure>,
    /// Viscous damping of each degree of freedom \[N s/m, N m s/rad\].
    pub damping: Vec<f64>,
    /// Dry friction of every joint that has any.
    pub joint_friction: Vec<DryFriction>,
    /// Velocity and stiffness of every spring on a single-axis joint \[N/m, N m/rad\]; its force is part of the bias.
    pub springs: Vec<(usize, f64)>,
    /// Elements on single-axis joints besides those that have a field of their own here.
    pub elements: Vec<JointElement>,
    /// Effort limit of each degree of freedom \[N, N m\]; infinite where there is none.
    pub effort_limits: Vec<f64>,
    /// Joint limits of single-axis joints.
    pub limits: Vec<JointLimit>,
    /// Constraints, active or not, in the order of their indices.
    pub constraints: Vec<ConstraintStructure>,
    /// Largest speed at which joint limits and rigid constraints remove a violation \[m/s, rad/s\].
    pub correction_speed: f64,
    /// The bodies that floating bases move.
    pub spins: Vec<SpinStructure>,
    /// First position of every unit quaternion (w, x, y, z) among the positions.
    pub quaternions: Vec<usize>,
    /// What each velocity is the rate of.
    pub coordinates: Vec<Coordinate>,
    /// Names of the positions (`arm.joint1.q`).
    pub position_names: Vec<String>,
    /// Names of the velocities (`arm.joint1.v`).
    pub velocity_names: Vec<String>,
}

/// Dry friction of a degree of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DryFriction {
    /// Index of the velocity.
    pub velocity: usize,
    /// The largest effort that resists motion \[N, N m\].
    pub largest: f64,
    /// The velocity at which it does \[m/s, rad/s\]; at least a tenth of the stiction tolerance is taken.
    pub creep: f64,
}

/// An element on a single-axis joint: its kind by name, and its numbers. The plant knows nothing of its law.
#[derive(Clone, Debug, PartialEq)]
pub struct JointElement {
    /// What it is (`joint_friction`).
    pub kind: String,
    /// Index of the velocity.
    pub velocity: usize,
    /// Index of the position.
    pub position: usize,
    /// Its numbers, in the order and the units of the kind.
    pub parameters: Vec<f64>,
}

/// What a velocity is the rate of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// An angle \[rad\].
    Angle,
    /// A length \[m\].
    Length,
    /// An orientation, held as a quaternion: three velocities in a row are its angular velocity.
    Spin,
}

/// A body as contacts see it.
#[derive(Clone, Debug)]
pub struct BodyStructure {
    /// Full name (`arm/link1`).
    pub name: String,
    /// The clique that moves the body; `None` for a body fixed to the world.
    pub clique: Option<usize>,
    /// Its mass \[kg\]; where that is zero, the mass of all bodies welded to it.
    pub mass: f64,
    /// Its centre of mass, from its origin in its axes \[m\].
    pub center_of_mass: [f64; 3],
    /// Its moments of inertia about that, along its axes \[kg m²\]: no products of inertia.
    pub moments: [f64; 3],
    /// Whether the clique is exactly this body's six free velocities, so that its Jacobian is the identity.
    pub free: bool,
    /// Where the body's Jacobian (6 x clique size, column major) stands in [`PlantPoint::jacobians`]; empty if `free`
    /// or fixed.
    pub jacobian: Range<usize>,
}

/// Lower and upper stop of a single-axis joint.
#[derive(Clone, Copy, Debug)]
pub struct JointLimit {
    /// Index of the velocity.
    pub velocity: usize,
    /// Index of the position.
    pub position: usize,
    /// Lower stop (may be `-inf`).
    pub lower: f64,
    /// Upper stop (may be `inf`).
    pub upper: f64,
    /// The part of the speed that a rigid stop gives back.
    pub restitution: f64,
    /// The compliance of the stops; `None`: they are rigid.
    pub compliance: Option<StopCompliance>,
}

/// The compliance of a stop: the force `stiffness x (1 + dissipation x') + damping x'`, x the way beyond it, and never
/// towards it. With dissipation it is the law of a contact, with damping a spring and a damper; not with both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopCompliance {
    /// \[N/m, N m/rad\].
    pub stiffness: f64,
    /// \[s/m, s/rad\].
    pub dissipation: f64,
    /// \[N s/m, N m s/rad\].
    pub damping: f64,
}

impl JointLimit {
    /// The energy of compliant stops at the position `q` of the joint \[J\].
    pub fn energy(&self, q: f64) -> f64 {
        let beyond = (self.lower - q).max(q - self.upper).max(0.0);
        self.compliance.map_or(0.0, |law| 0.5 * law.stiffness * beyond * beyond)
    }

    /// Each of its stops that there is: the direction away from it (1 of the lower one, -1 of the upper one) and its
    /// place.
    pub fn stops(&self) -> impl Iterator<Item = (f64, f64)> + use<> {
        [(1.0, self.lower), (-1.0, self.upper)].into_iter().filter(|(_, place)| place.is_finite())
    }
}

/// A constraint, as read-outs name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstraintStructure {
    /// Its name; of a mimic joint, the full name of that joint (`hand/finger_right`).
    pub name: String,
    /// What it constrains.
    pub kind: ConstraintKind,
}
