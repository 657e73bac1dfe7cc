//! What an integrator remembers from step to step.

use super::ledger::Ledger;
use super::smooth::Transitions;
use super::step_control::ControlMemory;
use crate::contact::ContactForces;
use crate::diagram::State;
use serde::{Deserialize, Serialize};

/// With the state, all that an integrator remembers from step to step: a run goes on from both bit for bit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepMemory {
    /// The step wanted next \[s\], where the method chooses its steps.
    pub wanted: Option<f64>,
    /// Length \[s\] and error of the last step that error control chose.
    pub last: Option<(f64, f64)>,
    /// The search for points where the motion is not smooth.
    pub transitions: Transitions,
    /// What is remembered of free motion, where the method takes steps of it.
    #[serde(default)]
    pub coasting: CoastingMemory,
    /// The contact forces of the last step, from which the next solve starts.
    #[serde(default)]
    pub forces: ContactForces,
    /// The ledger of energy.
    #[serde(default)]
    pub ledger: Ledger,
    /// The state at which the Jacobian is that goes on to the next step, where a method keeps one.
    #[serde(default)]
    pub linearized_at: Option<State>,
}

/// What is remembered of free motion from step to step: the step wanted next \[s\]; length \[s\] and error of the last
/// step that error control chose.
pub type CoastingMemory = (Option<f64>, Option<(f64, f64)>);

impl StepMemory {
    /// What the control of steps remembers.
    pub(super) fn control(&self) -> ControlMemory {
        ControlMemory { wanted: self.wanted, last: self.last }
    }

    /// What the control of steps of free motion remembers.
    pub(super) fn coasting_control(&self) -> ControlMemory {
        let (wanted, last) = self.coasting;
        ControlMemory { wanted, last }
    }
}

impl From<ControlMemory> for StepMemory {
    /// What step control remembers, and nothing else.
    fn from(ControlMemory { wanted, last }: ControlMemory) -> Self {
        StepMemory { wanted, last, ..StepMemory::default() }
    }
}
