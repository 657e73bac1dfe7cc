//! Memory of an integrator from step to step.

use super::step_control::ControlMemory;
use kinegraph_convex::contact::ContactForces;
use kinegraph_diagram::State;
use serde::{Deserialize, Serialize};

/// Memory of an integrator that, with the state, continues a run bit for bit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepMemory {
    /// Step wanted next \[s\], where the method chooses its steps.
    pub wanted: Option<f64>,
    /// Length \[s\] and error of the last step that error control chose.
    pub last: Option<(f64, f64)>,
    /// Search for points where the motion is not smooth.
    pub transitions: TransitionMemory,
    /// Memory of free motion, where the method takes steps of it.
    #[serde(default)]
    pub free_motion: FreeMotionMemory,
    /// Contact forces of the last step, from which the next solve starts.
    #[serde(default)]
    pub forces: ContactForces,
    /// The budget of energy.
    #[serde(default)]
    pub energy_budget: EnergyMemory,
    /// Memory of third solutions.
    #[serde(default)]
    pub third_solution: ThirdMemory,
    /// State of the Jacobian that is kept for the next step, where a method keeps one.
    #[serde(default)]
    pub linearized_at: Option<State>,
}

/// Memory of free motion from step to step: the step wanted next \[s\]; length \[s\] and error of the last step that
/// error control chose.
pub type FreeMotionMemory = (Option<f64>, Option<(f64, f64)>);

impl StepMemory {
    /// Memory of step control.
    pub(super) fn control(&self) -> ControlMemory {
        ControlMemory { wanted: self.wanted, last: self.last }
    }

    /// Memory of the control of free motion.
    pub(super) fn free_motion_control(&self) -> ControlMemory {
        let (wanted, last) = self.free_motion;
        ControlMemory { wanted, last }
    }
}

impl From<ControlMemory> for StepMemory {
    /// Memory of step control, and nothing else.
    fn from(ControlMemory { wanted, last }: ControlMemory) -> Self {
        StepMemory { wanted, last, ..StepMemory::default() }
    }
}

/// Memory of the search for transitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TransitionMemory {
    /// Budget for searches, in attempts; `None` before the first step.
    pub budget: Option<f64>,
    /// Time before which the transition in search is known to lie, and length of the step to cross it \[s\].
    pub search: Option<(f64, f64)>,
    /// Length of the last accepted step, except of free motion \[s\].
    #[serde(default)]
    pub last: Option<f64>,
}

/// Memory of third solutions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThirdMemory {
    /// Longest step \[s\] for which the third solution is presumed accurate; `None` where contact does not last.
    pub reach: Option<f64>,
}

impl ThirdMemory {
    /// Returns a copy without invalid lengths.
    pub(super) fn checked(&self) -> Self {
        ThirdMemory { reach: self.reach.filter(|reach| *reach > 0.0) }
    }
}

/// Memory of the energy budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyMemory {
    /// Credit: the energy that may be gained \[J\]; `None` before the first step.
    pub credit: Option<f64>,
    /// Longest next step \[s\], since one was too long for its energy.
    pub longest: Option<f64>,
    /// Discounted energy of contacts \[J\]: no work was done for it, and it cannot be returned.
    pub discounted: f64,
    /// Gain that shorter steps did not reduce.
    #[serde(default)]
    pub in_vain: GainInVain,
}

/// A gain of energy that does not shrink with the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GainInVain {
    /// Time at the end of the first step that was repeated for it \[s\].
    pub until: f64,
    /// Gain of the last one \[J\].
    pub gain: f64,
    /// Number of repeated steps.
    pub repeats: u32,
}

impl EnergyMemory {
    /// Returns a copy without invalid amounts.
    pub(super) fn checked(&self) -> Self {
        let credit = self.credit.filter(|credit| *credit >= 0.0);
        let longest = self.longest.filter(|longest| *longest > 0.0);
        let discounted = if self.discounted > 0.0 { self.discounted } else { 0.0 };
        let in_vain = Some(self.in_vain).filter(|GainInVain { until, gain, .. }| until.is_finite() && gain.is_finite());
        EnergyMemory { credit, longest, discounted, in_vain: in_vain.unwrap_or_default() }
    }
}
