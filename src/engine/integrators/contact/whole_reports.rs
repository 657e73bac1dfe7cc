//! Memory of the reports for a step that was solved in halves.

use kinegraph_core::step_record::{ContactReport, StepRecord};

/// Reports of plants for a step; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct WholeStep {
    /// For each clique, true if its end is extrapolated.
    pub(super) extrapolated: Vec<bool>,
    /// Velocities at the end as it is kept.
    pub(super) velocity: Vec<f64>,
    /// Contents of the records for the second half, plant by plant, while the records have those of the whole step.
    pub(super) second: Vec<Second>,
    pub(super) wrenches: [Vec<[f64; 6]>; 2],
    pub(super) generalized: Vec<f64>,
}

/// Contents of a record for the second half.
#[derive(Clone, Debug, Default)]
pub(super) struct Second {
    pub(super) contacts: Vec<ContactReport>,
    pub(super) velocity: Vec<f64>,
    pub(super) wrenches: Vec<[f64; 6]>,
}

impl Second {
    /// Exchanges these contents with those of `record`.
    pub(super) fn swap(&mut self, record: &mut StepRecord) {
        std::mem::swap(&mut record.contacts, &mut self.contacts);
        std::mem::swap(&mut record.velocity, &mut self.velocity);
        std::mem::swap(&mut record.wrenches, &mut self.wrenches);
    }
}
