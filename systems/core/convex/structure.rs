//! Constant structure of a plant: sizes, cliques, bodies, stops, constraints, names.

use super::spin::SpinStructure;
use crate::constraint_kind::ConstraintKind;
use std::ops::Range;

/// Structure of a plant, constant during a simulation.
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
    /// Further elements on single-axis joints, which have no field of their own here.
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
    /// Kind of coordinate of each velocity.
    pub coordinates: Vec<Coordinate>,
    /// Names of the positions (`arm.joint1.q`).
    pub position_names: Vec<String>,
    /// Names of the velocities (`arm.joint1.v`).
    pub velocity_names: Vec<String>,
}

/// Number of inertial parameters of a rigid body.
pub const INERTIAL_PARAMETERS: usize = 10;

/// A link that a joint moves, with all that is welded to it. Its inertial parameters are its mass \[kg\], its first
/// moment x, y, z \[kg m\] and its rotational inertia xx, yy, zz, xy, xz, yz \[kg m²\], about the origin and in the
/// axes of the link.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingPart {
    /// Full name of the link, `model/link`.
    pub name: String,
    /// Full names of the welded links that have a mass.
    pub welded: Vec<String>,
    /// Velocities of its joint.
    pub velocities: Range<usize>,
    /// Its parameters.
    pub parameters: [f64; INERTIAL_PARAMETERS],
    /// The part of them that the welded links have.
    pub parameters_of_welded: [f64; INERTIAL_PARAMETERS],
    /// Reflected rotor inertia of each of its velocities \[kg, kg m²\].
    pub armature: Vec<f64>,
}

/// Dry friction of a degree of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DryFriction {
    /// Index of the velocity.
    pub velocity: usize,
    /// Largest effort that resists motion \[N, N m\].
    pub largest: f64,
    /// The velocity at which friction reaches it \[m/s, rad/s\]; at least a tenth of the stiction tolerance.
    pub creep: f64,
}

/// An element on a single-axis joint: its kind by name, and its parameters. The plant does not know its law.
#[derive(Clone, Debug, PartialEq)]
pub struct JointElement {
    /// Kind of element (`joint_friction`).
    pub kind: String,
    /// Index of the velocity.
    pub velocity: usize,
    /// Index of the position.
    pub position: usize,
    /// Parameters, in the order and the units of the kind.
    pub parameters: Vec<f64>,
}

/// Kind of the coordinate whose rate a velocity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// An angle \[rad\].
    Angle,
    /// A length \[m\].
    Length,
    /// An orientation, held as a quaternion: three consecutive velocities are its angular velocity.
    Spin,
}

/// A body, with the data that contact needs.
#[derive(Clone, Debug)]
pub struct BodyStructure {
    /// Full name (`arm/link1`).
    pub name: String,
    /// The clique that moves the body; `None` for a body fixed to the world.
    pub clique: Option<usize>,
    /// Its mass \[kg\]; if that is zero, the mass of all bodies welded to it.
    pub mass: f64,
    /// Its centre of mass, from its origin in its axes \[m\].
    pub center_of_mass: [f64; 3],
    /// Its moments of inertia about the centre of mass, along its axes \[kg m²\], without products of inertia.
    pub moments: [f64; 3],
    /// True if the clique is exactly this body's six free velocities, so that its Jacobian is the identity.
    pub free: bool,
    /// Range of the body's Jacobian (6 x clique size, column major) in [`PlantPoint::jacobians`]; empty if `free` or
    /// fixed.
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
    /// Restitution of a rigid stop.
    pub restitution: f64,
    /// The compliance of the stops; `None`: they are rigid.
    pub compliance: Option<StopCompliance>,
}

/// Compliance of a stop: the force `stiffness x (1 + dissipation x') + damping x'` at the excess x beyond it, which
/// never pulls towards it. With dissipation it is the law of a contact, with damping a spring and a damper; the two
/// exclude each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopCompliance {
    /// Stiffness \[N/m, N m/rad\].
    pub stiffness: f64,
    /// Dissipation \[s/m, s/rad\].
    pub dissipation: f64,
    /// Damping \[N s/m, N m s/rad\].
    pub damping: f64,
}

impl JointLimit {
    /// The energy of compliant stops at the position `q` of the joint \[J\].
    pub fn energy(&self, q: f64) -> f64 {
        let beyond = (self.lower - q).max(q - self.upper).max(0.0);
        self.compliance.map_or(0.0, |law| 0.5 * law.stiffness * beyond * beyond)
    }

    /// The finite stops: for each, the direction away from it (1 for the lower one, -1 for the upper one) and its
    /// position.
    pub fn stops(&self) -> impl Iterator<Item = (f64, f64)> + use<> {
        [(1.0, self.lower), (-1.0, self.upper)].into_iter().filter(|(_, place)| place.is_finite())
    }
}

/// A constraint, with its name for read-outs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstraintStructure {
    /// Its name; for a mimic joint, the full name of that joint (`hand/finger_right`).
    pub name: String,
    /// Kind of the constraint.
    pub kind: ConstraintKind,
}
