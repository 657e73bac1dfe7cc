//! What the convex step knows of a diagram.

use super::energy::is_kept;
use super::movers::Movers;
use super::options::StepOptions;
use crate::integrators::ErrorNorm;
use crate::linearize::External;

/// What the convex step knows of a diagram beside what is linearized: made once, shared by all copies of a step.
#[derive(Debug)]
pub(in crate::integrators) struct StepPlan {
    pub options: StepOptions,
    pub norm: ErrorNorm,
    pub movers: Movers,
    /// Whether the rates of free motion depend on what plants report of a step.
    pub reads_records: bool,
    /// Whether the energy of each plant changes by nothing but dissipation.
    pub keeps_energy: Vec<bool>,
}

impl StepPlan {
    /// What a step with `options` knows of the diagram of `external`.
    pub fn new(options: StepOptions, external: &External) -> Self {
        let (diagram, layout) = (external.diagram(), external.layout());
        let norm = match &options.error_weights {
            Some(weights) => ErrorNorm::new(diagram, layout, weights),
            None => ErrorNorm::of_positions(diagram, layout),
        };
        let reads_records = external.reads_records();
        let keeps_energy = layout.plants.iter().map(|slot| {
            let driven = &layout.driven[slot.global.clone()];
            options.anticipate_contact && is_kept(layout.plant(diagram, slot), driven)
        });
        let keeps_energy = keeps_energy.collect();
        StepPlan { options, norm, movers: Movers::new(diagram, layout), reads_records, keeps_energy }
    }
}
