//! The interface of plants to convex integrators: a small trait for each area.

use super::constraint_rows::RangeGap;
use super::lost::LostBody;
use super::point::{ContactPoint, FarPair, PlantPoint};
use super::ray_sensor::RaySensor;
use super::step_record::StepRecord;
use super::structure::{BodyStructure, PlantStructure};
use super::switches::Switches;
use crate::context::Context;
use crate::scalar::Jet;
use crate::scene::{ContactSurface, PlantScene, SceneBody};
use kinegraph_geometry::SceneQuery;

/// A plant that a convex integrator can advance: one that answers all that is asked. Methods of the traits below are
/// called on `dyn ConvexPlant` as they are.
pub trait ConvexPlant: PlantContacts + PlantConstraints + PlantInputs + PlantReports {}

impl<P: PlantContacts + PlantConstraints + PlantInputs + PlantReports> ConvexPlant for P {}

/// How a plant moves: its structure, its poses, its equations of motion.
pub trait PlantDynamics: Send + Sync {
    /// What never changes.
    fn structure(&self) -> &PlantStructure;

    /// Mass matrix, bias, poses and velocities of the bodies at (q, v).
    fn evaluate(&self, q: &[f64], v: &[f64], point: &mut PlantPoint);

    /// Poses of the bodies at `q`, for who looks on: `p_WB` and `R_WB` of `point`, the rest of which is not what it
    /// was. A plant that has a shorter way than `evaluate` takes it.
    fn poses(&self, q: &[f64], point: &mut PlantPoint) {
        self.evaluate(q, &vec![0.0; self.structure().num_velocities], point);
    }

    /// Jacobians, at the positions of the last `evaluate`, of the bodies that are `wanted` (one flag
    /// per body); the others are not what they were. Few bodies touch anything, and most steps need the Jacobians of
    /// those only.
    fn jacobians(&self, wanted: &[bool], point: &mut PlantPoint);

    /// `J̇ v` at the state of the last `evaluate`, for the bodies that are `wanted` (one flag per
    /// body), as `A_WB` of `point`; the others are not what they were.
    fn bias_accelerations(&self, wanted: &[bool], point: &mut PlantPoint);

    /// `q̇ = N(q) v`; `v` need not be the plant's velocity: columns of `N` are had from unit vectors.
    fn position_rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]);

    /// Kinetic plus potential energy \[J\] of bodies and springs, without contact.
    fn energy(&self, q: &[f64], v: &[f64]) -> f64;

    /// The potential energy alone \[J\] at the positions `q`, where the last `evaluate` of `point`
    /// was; `None`: it is known with the kinetic energy only.
    fn potential_energy(&self, _q: &[f64], _point: &PlantPoint) -> Option<f64> {
        None
    }
}

/// Where the bodies of a plant touch.
pub trait PlantContacts: PlantDynamics {
    /// Contact points at the poses of the last `evaluate`, gaps up to `margin` \[m\] included.
    fn contacts(&self, margin: f64, point: &mut PlantPoint);

    /// The same, but only those at which a body takes part that is `wanted` (one flag per body).
    fn contacts_of(&self, wanted: &[bool], margin: f64, point: &mut PlantPoint) {
        self.contacts(margin, point);
        point.contacts.retain(|contact| wanted[contact.body_a] || wanted[contact.body_b]);
    }

    /// The contact points, but pairs of shapes of which it is quickly shown that their gap is wider than `nearer` says
    /// may be left out, as `far` of `point`. It is asked with the two bodies and with how far beyond their farthest
    /// points contact points may be \[m\]. By default none are left out.
    fn near_contacts(&self, margin: f64, _nearer: &dyn Fn([usize; 2], f64) -> f64, point: &mut PlantPoint) {
        self.contacts(margin, point);
    }

    /// Appends to `found` the contact points of a pair that the last query left out, gaps up to `margin` \[m\]
    /// included.
    fn contacts_of_far(&self, _pair: &FarPair, _margin: f64, _point: &mut PlantPoint, _found: &mut Vec<ContactPoint>) {}

    /// Distance from the origin of each body to its farthest collision point \[m\]; zero for bodies without collision
    /// shapes.
    fn reach(&self) -> &[f64];

    /// Half the sides \[m\] of a box about the origin of each body, along the axes of its frame, that holds its
    /// collision shapes; a body that is not listed fills the ball of its reach.
    fn extents(&self) -> &[[f64; 3]] {
        &[]
    }

    /// Half the thickness of the thinnest collision shape of each body \[m\]; a body that is not listed counts as thin.
    fn thickness(&self) -> &[f64] {
        &[]
    }

    /// The regularization velocity of friction \[m/s\].
    fn stiction_tolerance(&self) -> f64;

    /// Whether elastic forces of contact are those of an energy, whatever the poses. By default they are.
    fn contact_has_energy(&self) -> bool {
        true
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
}

/// The constraints of a plant, and what switches them.
pub trait PlantConstraints: PlantDynamics {
    /// The inputs that switch constraints and locks; where none is connected, the switches are constant between events.
    fn switch_inputs(&self) -> &[usize];

    /// The switches at the state in `ctx`.
    fn switches(&self, ctx: &Context<f64>, switches: &mut Switches);

    /// Rows of the constraints that `switches` leave active, at the poses of the last `evaluate`.
    fn constraints(&self, q: &[f64], switches: &Switches, point: &mut PlantPoint);

    /// True if it has rows with a [range](super::RowRange). By default it has none.
    fn has_ranges(&self) -> bool {
        false
    }

    /// Calls `see` with the gaps of all [ranges](super::RowRange) of rows at (q, v), in the order of their rows. By
    /// default there are none.
    fn range_gaps(&self, _q: &[f64], _v: &[f64], _see: &mut dyn FnMut(RangeGap)) {}
}

/// The forces that inputs put on a plant, and what they depend on.
pub trait PlantInputs: Send + Sync {
    /// Adds the spatial forces that inputs put on the bodies: torque, force; about the body's origin.
    fn add_input_wrenches(&self, _ctx: &Context<f64>, _wrenches: &mut [[f64; 6]]) {}

    /// Whether output port `output` depends on velocity `velocity` or on the position it moves.
    fn output_senses(&self, output: usize, velocity: usize) -> bool;

    /// Whether the force of input port `input` depends on the plant's own state (a force at a point of a body does).
    fn input_needs_state(&self, input: usize) -> bool;

    /// Whether input port `input` can put a force on velocity `velocity`.
    fn input_drives(&self, input: usize, velocity: usize) -> bool;

    /// Whether an input acts through actuators, whose limits hold for it, whatever it is called. By default none does.
    fn input_is_effort(&self, _input: usize) -> bool {
        false
    }

    /// Calls `see` with every velocity on which servos of the plant itself put a force that depends on velocity
    /// `velocity` or on the position it moves. Their forces are among those of the inputs, connected or not.
    fn own_feedback(&self, _velocity: usize, _see: &mut dyn FnMut(usize)) {}

    /// Whether the plant puts a force on velocity `velocity` among those of its inputs where none is connected.
    fn acts_alone(&self, _velocity: usize) -> bool {
        false
    }

    /// True if forces of the plant's own give it energy of which [`energy`](PlantDynamics::energy) knows nothing,
    /// though no input is connected: servos, fluids, surfaces that stick. By default there are none.
    fn drives_itself(&self) -> bool {
        false
    }

    /// The generalized forces that the plant takes from its inputs, at the state in `ctx`: `actuation` (to which effort
    /// limits apply) and `applied` (to which they do not), each of width `num_velocities`. Unconnected inputs are zero.
    fn input_forces_f64(&self, ctx: &Context<f64>, actuation: &mut [f64], applied: &mut [f64]);

    /// The same with derivatives.
    fn input_forces_jet(&self, ctx: &Context<Jet>, actuation: &mut [Jet], applied: &mut [Jet]);
}

/// Reports of a plant: read-outs of steps, things to draw, faults.
pub trait PlantReports: PlantDynamics {
    /// The constraint of a beam that turns too far for what it measures, and by what angle \[rad\]; `None`: there is
    /// none.
    fn overbent(&self, _q: &[f64]) -> Option<(usize, f64)> {
        None
    }

    /// The bodies that fell through what they were above at the positions `start`, and fall freely at (q, v).
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

    /// The surfaces with which bodies press on each other at the poses of the last `evaluate` or
    /// `poses`, to draw. By default none: bodies touch in points.
    fn contact_surfaces(&self, _point: &PlantPoint) -> Vec<ContactSurface> {
        Vec::new()
    }

    /// Query of the shapes that rays of sensors meet. It owns its shapes, and has all bodies but the world at the
    /// origin of the world. By default it has no shapes.
    fn ray_query(&self) -> SceneQuery {
        SceneQuery::new([], self.structure().bodies.len())
    }

    /// Sensors of model files that look along rays, with full names. By default none.
    fn ray_sensors(&self) -> &[RaySensor] {
        &[]
    }

    /// Puts what outputs report of an accepted step into the plant's discrete state, where it stays until the next
    /// step. `point` was evaluated at the positions of the record.
    fn read_out(&self, _record: &StepRecord, _point: &mut PlantPoint, _discrete: &mut [f64]) {}

    /// Where the discrete state has efforts of actuators that outputs report of a step, and of which velocity each is.
    fn effort_read_outs(&self) -> Vec<(usize, usize)> {
        Vec::new()
    }
}
