//! What a convex integrator may ask of a plant, and the plain data it gets.
//!
//! Conventions: SI units, world axes, z up. `q` are the plant's positions, `v` its velocities, `q̇ = N(q) v`.
//! Spatial vectors are [angular; linear], taken at the body origin. A *clique* is a tree of the plant that
//! can move: its velocities are contiguous, and the mass matrix is block diagonal over cliques.

pub use crate::constraint_kind::ConstraintKind;
use crate::multibody::Kinematics;
use crate::multibody::plant::Query;
use crate::scalar::Jet;
use crate::scene::{PlantScene, SceneBody};
use crate::step_record::StepRecord;
use crate::system::Context;
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
    /// The bodies; body 0 is the world.
    pub bodies: Vec<BodyStructure>,
    /// Viscous damping of each degree of freedom \[N s/m, N m s/rad\].
    pub damping: Vec<f64>,
    /// Velocity and stiffness of every spring on a single-axis joint \[N/m, N m/rad\]; its force is part of the bias.
    pub springs: Vec<(usize, f64)>,
    /// Effort limit of each degree of freedom \[N, N m\]; infinite where there is none.
    pub effort_limits: Vec<f64>,
    /// Joint limits of single-axis joints.
    pub limits: Vec<JointLimit>,
    /// Constraints, active or not, in the order of their indices.
    pub constraints: Vec<ConstraintStructure>,
    /// Largest speed at which joint limits and rigid constraints remove a violation \[m/s, rad/s\].
    pub correction_speed: f64,
    /// First position of every unit quaternion (w, x, y, z) among the positions.
    pub quaternions: Vec<usize>,
    /// What each velocity is the rate of.
    pub coordinates: Vec<Coordinate>,
    /// Names of the positions (`arm.joint1.q`).
    pub position_names: Vec<String>,
    /// Names of the velocities (`arm.joint1.v`).
    pub velocity_names: Vec<String>,
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
}

/// A constraint, as read-outs name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstraintStructure {
    /// Its name; of a mimic joint, the full name of that joint (`hand/finger_right`).
    pub name: String,
    /// What it constrains.
    pub kind: ConstraintKind,
}

/// How a constraint gives way: a spring and a damper in parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compliance {
    /// \[N/m, N m/rad\].
    pub stiffness: f64,
    /// \[N s/m, N m s/rad\].
    pub damping: f64,
}

/// One to three rows of an active constraint at a state. A weld has two runs of rows: orientation, then point.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintRows {
    /// Index of the constraint in [`PlantStructure::constraints`].
    pub constraint: usize,
    /// What the rows measure.
    pub measure: RowMeasure,
    /// How far the constraint is from being met \[rad, m\], in world axes; of a single row, the first number.
    pub violation: [f64; 3],
    /// `None`: rigid.
    pub compliance: Option<Compliance>,
}

/// What rows of a constraint measure. Points in world \[m\].
#[derive(Clone, Copy, Debug)]
pub enum RowMeasure {
    /// The angular velocity of B relative to A.
    Orientation {
        /// The first body.
        body_a: usize,
        /// The second body.
        body_b: usize,
    },
    /// The velocity of the material point of B at C relative to that of A.
    Point {
        /// The first body.
        body_a: usize,
        /// The second body.
        body_b: usize,
        /// The point C.
        p_WC: [f64; 3],
    },
    /// The rate of the distance from point P of A to point Q of B.
    Distance {
        /// The first body.
        body_a: usize,
        /// The second body.
        body_b: usize,
        /// The point of A.
        p_WP: [f64; 3],
        /// The point of B.
        p_WQ: [f64; 3],
        /// Unit vector from P to Q, in world.
        direction: [f64; 3],
    },
    /// A sum of two velocities (indices in the plant) with coefficients.
    Coordinates([(usize, f64); 2]),
}

/// What a diagram switches in a plant: read at the start of a step and held over it.
#[derive(Debug, Default, PartialEq)]
pub struct Switches {
    /// Whether each constraint acts.
    pub active: Vec<bool>,
    /// What each constraint holds (a pose, a point, a length, an offset), one after the other.
    pub targets: Vec<f64>,
    /// Whether each velocity is locked; empty: none is.
    pub locked: Vec<bool>,
}

impl Clone for Switches {
    fn clone(&self) -> Self {
        let mut copy = Switches::default();
        copy.clone_from(self);
        copy
    }
    fn clone_from(&mut self, other: &Self) {
        self.active.clone_from(&other.active);
        self.targets.clone_from(&other.targets);
        self.locked.clone_from(&other.locked);
    }
}

/// One point where two bodies touch, or nearly touch.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// The body that the normal points away from (may be fixed to the world).
    pub body_a: usize,
    /// The body that the normal points to (always movable).
    pub body_b: usize,
    /// The point C, in world \[m\].
    pub p_WC: [f64; 3],
    /// Unit normal, in world, from A into B.
    pub normal: [f64; 3],
    /// Overlap \[m\]; negative for a gap.
    pub depth: f64,
    /// Stiffness of the pair \[N/m\].
    pub stiffness: f64,
    /// Hunt-Crossley dissipation of the pair \[s/m\].
    pub dissipation: f64,
    /// Static friction coefficient of the pair.
    pub static_friction: f64,
    /// Dynamic friction coefficient of the pair.
    pub dynamic_friction: f64,
    /// Identifies the pair of geometries, the same as long as they stay in contact.
    pub key: u64,
}

/// What of a plant depends on its state (q, v): filled by [`ConvexPlant::evaluate`], reused without allocation.
#[derive(Clone, Debug, Default)]
pub struct PlantPoint {
    /// Mass matrix blocks of all cliques (column major, one after the other), reflected inertia included.
    pub mass_matrix: Vec<f64>,
    /// `k(q, v)`: forces that hold the plant's velocity constant, `M v̇ + k = 0` without contact and inputs. Contains
    /// gravity, Coriolis and centrifugal terms, springs and joint damping.
    pub bias: Vec<f64>,
    /// Body Jacobians `J_WB` as laid out in [`BodyStructure::jacobian`], filled by [`ConvexPlant::jacobians`].
    pub jacobians: Vec<f64>,
    /// Origins of the bodies in world \[m\].
    pub p_WB: Vec<[f64; 3]>,
    /// Rotations of the bodies (column major).
    pub R_WB: Vec<[f64; 9]>,
    /// Velocities of the bodies at their origins in world: angular \[rad/s\], linear \[m/s\].
    pub V_WB: Vec<[f64; 6]>,
    /// Contact points, sorted by bodies (a, b).
    pub contacts: Vec<ContactPoint>,
    /// Speeds of the moving surfaces (belts) of the plant \[m/s\].
    pub surface_speeds: Vec<f64>,
    /// Rows of the active constraints, filled by [`ConvexPlant::constraints`].
    pub constraints: Vec<ConstraintRows>,
    /// Workspaces of the multibody plant.
    pub(crate) kinematics: Kinematics<f64>,
    pub(crate) query: Query,
}

/// A plant that a convex integrator can advance.
pub trait ConvexPlant: Send + Sync {
    /// What never changes.
    fn structure(&self) -> &PlantStructure;
    /// Mass matrix, bias, poses and velocities of the bodies at (q, v).
    fn evaluate(&self, q: &[f64], v: &[f64], point: &mut PlantPoint);
    /// Poses of the bodies at `q`, for who looks on: `p_WB` and `R_WB` of `point`, the rest of which is not what it was.
    /// A plant that has a shorter way than [`evaluate`](Self::evaluate) takes it.
    fn poses(&self, q: &[f64], point: &mut PlantPoint) {
        self.evaluate(q, &vec![0.0; self.structure().num_velocities], point);
    }
    /// Jacobians, at the positions of the last [`evaluate`](Self::evaluate), of the bodies that are `wanted` (one flag
    /// per body); the others are not what they were. Few bodies touch anything, and most steps need the Jacobians of
    /// those only.
    fn jacobians(&self, wanted: &[bool], point: &mut PlantPoint);
    /// Contact points at the poses of the last [`evaluate`](Self::evaluate), gaps up to `margin` \[m\] included.
    fn contacts(&self, margin: f64, point: &mut PlantPoint);
    /// The inputs that switch constraints and locks; where none is connected, the switches are constant between events.
    fn switch_inputs(&self) -> &[usize];
    /// The switches at the state in `ctx`.
    fn switches(&self, ctx: &Context<f64>, switches: &mut Switches);
    /// Rows of the constraints that `switches` leave active, at the poses of the last [`evaluate`](Self::evaluate).
    fn constraints(&self, q: &[f64], switches: &Switches, point: &mut PlantPoint);
    /// `q̇ = N(q) v`; `v` need not be the plant's velocity: columns of `N` are had from unit vectors.
    fn position_rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]);
    /// Kinetic plus potential energy \[J\] of bodies and springs, without contact.
    fn energy(&self, q: &[f64], v: &[f64]) -> f64;
    /// Distance from the origin of each body to its farthest collision point \[m\]; zero for bodies without collision
    /// shapes.
    fn reach(&self) -> &[f64];
    /// The regularization velocity of friction \[m/s\].
    fn stiction_tolerance(&self) -> f64;

    /// What there is to draw, but for the poses of the bodies; `name` is the full name of the plant's block. By default
    /// bodies without shapes.
    fn scene(&self, name: &str) -> PlantScene {
        let body =
            |b: &BodyStructure| SceneBody { name: b.name.clone(), moving: b.clique.is_some(), ..Default::default() };
        let bodies = self.structure().bodies.iter().map(body).collect();
        PlantScene { name: name.into(), bodies, ..PlantScene::default() }
    }

    /// Whether surfaces of the plant move by themselves: then [`read_surface_speeds`](Self::read_surface_speeds) comes
    /// before [`surface_velocity`](Self::surface_velocity).
    fn has_moving_surfaces(&self) -> bool {
        false
    }
    /// Reads the speeds of moving surfaces off the inputs.
    fn read_surface_speeds(&self, _ctx: &Context<f64>, _point: &mut PlantPoint) {}
    /// The velocity of the surface of B against that of A at a contact of the last query while both bodies rest
    /// \[m/s\]: `v_ss,B - v_ss,A`.
    fn surface_velocity(&self, _contact: &ContactPoint, _point: &PlantPoint) -> [f64; 3] {
        [0.0; 3]
    }

    /// Adds the spatial forces that inputs put on the bodies: torque, force; about the body's origin.
    fn add_input_wrenches(&self, _ctx: &Context<f64>, _wrenches: &mut [[f64; 6]]) {}
    /// Puts what outputs tell of an accepted step into the plant's discrete state, where it stays until the next step.
    /// `point` was evaluated at the positions of the record.
    fn read_out(&self, _record: &StepRecord, _point: &mut PlantPoint, _discrete: &mut [f64]) {}

    /// Whether output port `output` depends on velocity `velocity` or on the position it moves.
    fn output_senses(&self, output: usize, velocity: usize) -> bool;
    /// Whether the force of input port `input` depends on the plant's own state (a force at a point of a body does).
    fn input_needs_state(&self, input: usize) -> bool;
    /// Whether input port `input` can put a force on velocity `velocity`.
    fn input_drives(&self, input: usize, velocity: usize) -> bool;
    /// The generalized forces that the plant takes from its inputs, at the state in `ctx`: `actuation` (to which effort
    /// limits apply) and `applied` (to which they do not), each of width `num_velocities`. Unconnected inputs are zero.
    fn input_forces_f64(&self, ctx: &Context<f64>, actuation: &mut [f64], applied: &mut [f64]);
    /// The same with derivatives.
    fn input_forces_jet(&self, ctx: &Context<Jet>, actuation: &mut [Jet], applied: &mut [Jet]);
}
