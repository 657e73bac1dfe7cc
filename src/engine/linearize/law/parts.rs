//! Parts of the law of a step: times, response of the external state, gains, efforts, workspace.

use crate::linearize::external::Forces;
use crate::linearize::group_matrix::GroupMatrix;
use crate::linearize::groups::Groups;
use kinegraph_convex::linear_algebra::{Lu, SparseLu};
use nalgebra::DVector;
use std::sync::Arc;

/// Treatment of feedback that the step of a law cannot follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct LawOptions {
    /// True if a step that is too long can be rejected. If not, feedback that destabilizes too fast acts explicitly.
    pub(in crate::linearize) rejects: bool,
    /// True if efforts at their limits are decoupled and only P acts implicitly, which always has a solution.
    pub(in crate::linearize) decoupled: bool,
}

impl Default for LawOptions {
    fn default() -> Self {
        LawOptions { rejects: true, decoupled: false }
    }
}

/// Times over which a law acts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Length of the step \[s\].
    pub(in crate::linearize) dt: f64,
    /// Time over which the external state is implicit, and the part of an effort (and of its limit) that this law
    /// represents: all of both, unless a scheme sets them ([`Law::begin`](super::Law::begin)).
    pub(in crate::linearize) state_step: f64,
    pub(in crate::linearize) share: f64,
    /// Time at which open-loop inputs are read, in parts of the step.
    pub(in crate::linearize) open_loop_at: f64,
}

impl Default for Span {
    fn default() -> Self {
        Span { dt: 0.0, state_step: 0.0, share: 1.0, open_loop_at: 0.5 }
    }
}

/// Response of the external state within the step.
#[derive(Clone, Debug, Default)]
pub(super) struct StateResponse {
    /// I - dt F_z.
    pub(in crate::linearize) w: Lu,
    pub(in crate::linearize) sparse_w: SparseLu,
    /// Place of each external state in its group, where the group is sparse.
    pub(in crate::linearize) place: Vec<usize>,
    /// W f of the external state.
    pub(in crate::linearize) drift: DVector<f64>,
    /// W F~ of it; no columns where the external state is explicit.
    pub(in crate::linearize) columns: GroupMatrix,
    /// W f and W F~ of one group.
    pub(in crate::linearize) solved: Vec<f64>,
}

/// The gains K of a step (rows: all velocities, columns: sensed ones).
#[derive(Clone, Debug, Default)]
pub(super) struct Gains {
    /// Gains of the actuators.
    pub(in crate::linearize) actuation: GroupMatrix,
    /// Gains of all other forces.
    pub(in crate::linearize) applied: GroupMatrix,
    /// Groups: the gains and the response are zero outside of their blocks.
    pub(in crate::linearize) groups: Arc<Groups>,
}

/// Efforts of the actuators within the step.
#[derive(Clone, Debug, Default)]
pub(super) struct Efforts {
    /// For each row, true if it is near or at its effort limit.
    pub(in crate::linearize) clamped: Vec<bool>,
    /// Changes of the efforts within the step, and which of them depend on any velocity.
    pub(in crate::linearize) reaction: Vec<f64>,
    pub(in crate::linearize) reacts: Vec<bool>,
    /// Forces of actuators and of all other inputs at the solution.
    pub(in crate::linearize) net_actuation: Vec<f64>,
    pub(in crate::linearize) net_applied: Vec<f64>,
}

/// Workspace of a law.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(in crate::linearize) forces: Forces<f64>,
    pub(in crate::linearize) middle: Forces<f64>,
    pub(in crate::linearize) predicted: Vec<f64>,
    pub(in crate::linearize) rates: Vec<f64>,
    pub(in crate::linearize) velocities: Vec<f64>,
    /// K and the mass matrix of one block (or K for the gate), and which of its rows have a scalar law.
    pub(in crate::linearize) alone: Vec<bool>,
    pub(in crate::linearize) k: Vec<f64>,
    pub(in crate::linearize) mass: Vec<f64>,
}
