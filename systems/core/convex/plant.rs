//! The interface of plants to convex integrators: a small trait for each area.

use super::constraint_rows::RangeGap;
use super::lost::LostBody;
use super::point::{ContactPoint, FarPair, PlantPoint};
use super::ray_sensor::RaySensor;
use super::step_record::StepRecord;
use super::structure::{BodyStructure, MovingPart, PlantStructure};
use super::switches::Switches;
use crate::context::Context;
use crate::scalar::Jet;
use crate::scene::{ContactSurface, PlantScene, SceneBody};
use kinegraph_geometry::SceneQuery;

/// A plant that a convex integrator can advance: it implements all traits below. Their methods can be called on
/// `dyn ConvexPlant`.
pub trait ConvexPlant: PlantContacts + PlantConstraints + PlantInputs + PlantReports {}

impl<P: PlantContacts + PlantConstraints + PlantInputs + PlantReports> ConvexPlant for P {}

/// Dynamics of a plant: its structure, its poses, its equations of motion.
pub trait PlantDynamics: Send + Sync {
    /// Structure of the plant, which never changes.
    fn structure(&self) -> &PlantStructure;

    /// Mass matrix, bias, poses and velocities of the bodies at (q, v).
    fn evaluate(&self, q: &[f64], v: &[f64], point: &mut PlantPoint);

    /// Poses and velocities of the bodies at (q, v), without mass matrix and bias, which become invalid. A plant may
    /// override it with a cheaper computation than `evaluate`.
    fn motion(&self, q: &[f64], v: &[f64], point: &mut PlantPoint) {
        self.evaluate(q, v, point);
    }

    /// Poses of the bodies at `q`, for display: sets `p_WB` and `R_WB` of `point`; the rest of it becomes invalid. A
    /// plant may override it with a cheaper computation than `evaluate`.
    fn poses(&self, q: &[f64], point: &mut PlantPoint) {
        self.evaluate(q, &vec![0.0; self.structure().num_velocities], point);
    }

    /// Jacobians of the `wanted` bodies (one flag per body) at the positions of the last `evaluate`; those of other
    /// bodies become invalid. Few bodies touch anything, so most steps need few Jacobians.
    fn jacobians(&self, wanted: &[bool], point: &mut PlantPoint);

    /// `J̇ v` of the `wanted` bodies (one flag per body) at the state of the last `evaluate`, as `A_WB` of `point`;
    /// that of other bodies becomes invalid.
    fn bias_accelerations(&self, wanted: &[bool], point: &mut PlantPoint);

    /// `q̇ = N(q) v`; `v` may be any vector: unit vectors give the columns of `N`.
    fn position_rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]);

    /// The links that joints move, with their inertial parameters. By default none are known.
    fn moving_parts(&self) -> Vec<MovingPart> {
        Vec::new()
    }

    /// The matrix Y of `M v̇ + bias = Y π` for rigid bodies without rotors, springs and damping, at (q, v, v̇): a row
    /// for each velocity, for each of the moving parts a column for each parameter, column by column. By default it
    /// does nothing, since no part is known.
    fn inertial_regressor(&self, _q: &[f64], _v: &[f64], _v_dot: &[f64], _point: &mut PlantPoint, _rows: &mut [f64]) {}

    /// Kinetic plus potential energy \[J\] of bodies and springs, without contact.
    fn energy(&self, q: &[f64], v: &[f64]) -> f64;

    /// Potential energy alone \[J\] at the positions `q`, where the last `evaluate` of `point` was; `None` if it is
    /// known only together with the kinetic energy.
    fn potential_energy(&self, _q: &[f64], _point: &PlantPoint) -> Option<f64> {
        None
    }
}

/// Contact of the bodies of a plant.
pub trait PlantContacts: PlantDynamics {
    /// Contact points at the poses of the last `evaluate`, gaps up to `margin` \[m\] included.
    fn contacts(&self, margin: f64, point: &mut PlantPoint);

    /// Contact points as of [`contacts`](Self::contacts), of the `wanted` bodies only (one flag per body).
    fn contacts_of(&self, wanted: &[bool], margin: f64, point: &mut PlantPoint) {
        self.contacts(margin, point);
        point.contacts.retain(|contact| wanted[contact.body_a] || wanted[contact.body_b]);
    }

    /// Contact points without those of pairs of shapes that are quickly shown to be farther apart than `nearer` allows:
    /// these pairs may be listed as `far` of `point` instead. The arguments of `nearer` are the two bodies, and how far
    /// beyond the farthest points of the bodies their contact points may lie \[m\]. By default no pair is left out.
    fn near_contacts(&self, margin: f64, _nearer: &dyn Fn([usize; 2], f64) -> f64, point: &mut PlantPoint) {
        self.contacts(margin, point);
    }

    /// Appends to `found` the contact points of a pair that the last query left out, including gaps up to `margin`
    /// \[m\].
    fn contacts_of_far(&self, _pair: &FarPair, _margin: f64, _point: &mut PlantPoint, _found: &mut Vec<ContactPoint>) {}

    /// Distance from the origin of each body to its farthest collision point \[m\]; zero for bodies without collision
    /// shapes.
    fn reach(&self) -> &[f64];

    /// Half extents \[m\] of a box about the origin of each body, along the axes of its frame, that contains its
    /// collision shapes; a body that is not listed may fill the ball of its reach.
    fn extents(&self) -> &[[f64; 3]] {
        &[]
    }

    /// Half the thickness of the thinnest collision shape of each body \[m\]; a body that is not listed counts as thin.
    fn thickness(&self) -> &[f64] {
        &[]
    }

    /// The regularization velocity of friction \[m/s\].
    fn stiction_tolerance(&self) -> f64;

    /// True if elastic contact forces derive from an energy at all poses. By default they do.
    fn contact_has_energy(&self) -> bool {
        true
    }

    /// True if the plant has moving surfaces: then [`read_surface_speeds`](Self::read_surface_speeds) is called before
    /// [`surface_velocity`](Self::surface_velocity).
    fn has_moving_surfaces(&self) -> bool {
        false
    }

    /// Reads the speeds of moving surfaces from the inputs.
    fn read_surface_speeds(&self, _ctx: &Context<f64>, _point: &mut PlantPoint) {}

    /// Velocity of the surface of B relative to that of A at a contact of the last query, with both bodies at rest
    /// \[m/s\]: `v_ss,B - v_ss,A`.
    fn surface_velocity(&self, _contact: &ContactPoint, _point: &PlantPoint) -> [f64; 3] {
        [0.0; 3]
    }
}

/// Constraints of a plant, and their switches.
pub trait PlantConstraints: PlantDynamics {
    /// The inputs that switch constraints and locks. If none is connected, the switches are constant between events.
    fn switch_inputs(&self) -> &[usize];

    /// The switches at the state in `ctx`.
    fn switches(&self, ctx: &Context<f64>, switches: &mut Switches);

    /// Rows of the constraints that are active by `switches`, at the poses of the last `evaluate`.
    fn constraints(&self, q: &[f64], switches: &Switches, point: &mut PlantPoint);

    /// True if it has rows with a [range](super::RowRange). By default it has none.
    fn has_ranges(&self) -> bool {
        false
    }

    /// Calls `see` with the gaps of all [ranges](super::RowRange) of rows at (q, v), in the order of their rows. By
    /// default there are none.
    fn range_gaps(&self, _q: &[f64], _v: &[f64], _see: &mut dyn FnMut(RangeGap)) {}
}

/// Forces that inputs apply to a plant, and their dependences.
pub trait PlantInputs: Send + Sync {
    /// Adds the spatial forces of inputs on the bodies: torque, force; about the body's origin.
    fn add_input_wrenches(&self, _ctx: &Context<f64>, _wrenches: &mut [[f64; 6]]) {}

    /// True if output port `output` depends on velocity `velocity` or on its position.
    fn output_senses(&self, output: usize, velocity: usize) -> bool;

    /// True if the force of input port `input` depends on the plant's own state (as a force at a point of a body does).
    fn input_needs_state(&self, input: usize) -> bool;

    /// True if input port `input` can apply a force to velocity `velocity`.
    fn input_drives(&self, input: usize, velocity: usize) -> bool;

    /// True if an input acts through actuators and their effort limits, whatever its name. By default false.
    fn input_is_effort(&self, _input: usize) -> bool {
        false
    }

    /// Calls `see` with every velocity to which servos of the plant itself apply a force that depends on velocity
    /// `velocity` or on its position. Their forces are among those of the inputs, connected or not.
    fn own_feedback(&self, _velocity: usize, _see: &mut dyn FnMut(usize)) {}

    /// True if the input forces on velocity `velocity` include one of the plant itself, even with no input connected.
    fn acts_alone(&self, _velocity: usize) -> bool {
        false
    }

    /// True if forces of the plant itself can add energy that [`energy`](PlantDynamics::energy) does not include, even
    /// with no input connected: servos, fluids, adhesion. By default false.
    fn drives_itself(&self) -> bool {
        false
    }

    /// Generalized forces that the plant takes from its inputs, at the state in `ctx`: `actuation` (to which effort
    /// limits apply) and `applied` (to which they do not), each of width `num_velocities`. Unconnected inputs are zero.
    fn input_forces_f64(&self, ctx: &Context<f64>, actuation: &mut [f64], applied: &mut [f64]);

    /// Generalized forces from inputs, with derivatives: see [`input_forces_f64`](Self::input_forces_f64).
    fn input_forces_jet(&self, ctx: &Context<Jet>, actuation: &mut [Jet], applied: &mut [Jet]);
}

/// Reports of a plant: read-outs of steps, things to draw, faults.
pub trait PlantReports: PlantDynamics {
    /// The constraint of a beam that is bent beyond the angle that its measure allows, and the angle \[rad\]; `None` if
    /// there is none.
    fn overbent(&self, _q: &[f64]) -> Option<(usize, f64)> {
        None
    }

    /// Bodies that fell through a body below them at the positions `start`, and fall freely at (q, v).
    fn lost_bodies(&self, _start: &[f64], _q: &[f64], _v: &[f64]) -> Vec<LostBody> {
        Vec::new()
    }

    /// Scene to draw, without the poses of the bodies. `name` is the full name of the plant's block. By default the
    /// bodies have no shapes.
    fn scene(&self, name: &str) -> PlantScene {
        let body =
            |b: &BodyStructure| SceneBody { name: b.name.clone(), moving: b.clique.is_some(), ..Default::default() };
        let bodies = self.structure().bodies.iter().map(body).collect();
        PlantScene { name: name.into(), bodies, ..PlantScene::default() }
    }

    /// Contact surfaces between bodies at the poses of the last `evaluate` or `poses`, to draw. By default none: bodies
    /// touch in points.
    fn contact_surfaces(&self, _point: &PlantPoint) -> Vec<ContactSurface> {
        Vec::new()
    }

    /// Query of the shapes that rays of sensors can hit. It owns its shapes, and has all bodies but the world at the
    /// origin of the world. By default it has no shapes.
    fn ray_query(&self) -> SceneQuery {
        SceneQuery::new([], self.structure().bodies.len())
    }

    /// Ray sensors of model files, with full names. By default none.
    fn ray_sensors(&self) -> &[RaySensor] {
        &[]
    }

    /// Stores the results of an accepted step that outputs report in the plant's discrete state, where they stay until
    /// the next step. `point` was evaluated at the positions of the record.
    fn read_out(&self, _record: &StepRecord, _point: &mut PlantPoint, _discrete: &mut [f64]) {}

    /// Index in the discrete state, and velocity, of each reported actuator effort.
    fn effort_read_outs(&self) -> Vec<(usize, usize)> {
        Vec::new()
    }
}
