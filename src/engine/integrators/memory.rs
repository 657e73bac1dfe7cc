//! What an integrator remembers from step to step.

use super::step_control::ControlMemory;
use kinegraph_convex::contact::ContactForces;
use kinegraph_diagram::State;
use serde::{Deserialize, Serialize};

/// With the state, all that an integrator remembers from step to step: a run goes on from both bit for bit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepMemory {
    /// The step wanted next \[s\], where the method chooses its steps.
    pub wanted: Option<f64>,
    /// Length \[s\] and error of the last step that error control chose.
    pub last: Option<(f64, f64)>,
    /// The search for points where the motion is not smooth.
    pub transitions: TransitionMemory,
    /// What is remembered of free motion, where the method takes steps of it.
    #[serde(default)]
    pub free_motion: FreeMotionMemory,
    /// The contact forces of the last step, from which the next solve starts.
    #[serde(default)]
    pub forces: ContactForces,
    /// The budget of energy.
    #[serde(default)]
    pub energy_budget: EnergyMemory,
    /// What is remembered of third solutions.
    #[serde(default)]
    pub third_solution: ThirdMemory,
    /// The state at which the Jacobian is that goes on to the next step, where a method keeps one.
    #[serde(default)]
    pub linearized_at: Option<State>,
}

/// What is remembered of free motion from step to step: the step wanted next \[s\]; length \[s\] and error of the last
/// step that error control chose.
pub type FreeMotionMemory = (Option<f64>, Option<(f64, f64)>);

impl StepMemory {
    /// What the control of steps remembers.
    pub(super) fn control(&self) -> ControlMemory {
        ControlMemory { wanted: self.wanted, last: self.last }
    }

    /// What the control of steps of free motion remembers.
    pub(super) fn free_motion_control(&self) -> ControlMemory {
        let (wanted, last) = self.free_motion;
        ControlMemory { wanted, last }
    }
}

impl From<ControlMemory> for StepMemory {
    /// What step control remembers, and nothing else.
    fn from(ControlMemory { wanted, last }: ControlMemory) -> Self {
        StepMemory { wanted, last, ..StepMemory::default() }
    }
}

/// What the search for transitions remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TransitionMemory {
    /// What is left for searches, in attempts; `None` before the first step.
    pub budget: Option<f64>,
    /// The time before which the transition in search is known to lie, and the length of the step to cross it \[s\].
    pub search: Option<(f64, f64)>,
    /// The length of the last step that was taken, but of free motion \[s\].
    #[serde(default)]
    pub last: Option<f64>,
}

/// What is remembered of third solutions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThirdMemory {
    /// How long \[s\] a step is thought to be at most of which the third solution is accurate; `None` where contact
    /// does not last.
    pub reach: Option<f64>,
}

impl ThirdMemory {
    /// The same; a length that is none is forgotten.
    pub(super) fn checked(&self) -> Self {
        ThirdMemory { reach: self.reach.filter(|reach| *reach > 0.0) }
    }
}

/// What the budget of energy remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyMemory {
    /// What may be gained \[J\]; `None` before the first step.
    pub credit: Option<f64>,
    /// How long \[s\] the next step may be, since one was too long for its energy.
    pub longest: Option<f64>,
    /// What contacts hold that no work was done for and that is of no consequence \[J\].
    pub discounted: f64,
    /// What shorter steps did not help against.
    #[serde(default)]
    pub in_vain: GainInVain,
}

/// A gain of energy that does not shrink with the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GainInVain {
    /// The time to which the first step led that was repeated for it \[s\].
    pub until: f64,
    /// The gain of the last one \[J\].
    pub gain: f64,
    /// How many were repeated.
    pub repeats: u32,
}

impl EnergyMemory {
    /// The same; amounts that are none are forgotten.
    pub(super) fn checked(&self) -> Self {
        let credit = self.credit.filter(|credit| *credit >= 0.0);
        let longest = self.longest.filter(|longest| *longest > 0.0);
        let discounted = if self.discounted > 0.0 { self.discounted } else { 0.0 };
        let in_vain = Some(self.in_vain).filter(|GainInVain { until, gain, .. }| until.is_finite() && gain.is_finite());
        EnergyMemory { credit, longest, discounted, in_vain: in_vain.unwrap_or_default() }
    }
}
