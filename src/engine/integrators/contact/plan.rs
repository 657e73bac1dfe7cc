//! What the convex step knows of a diagram.

use super::energy::is_kept;
use super::manifold::EndProjection;
use super::movers::Movers;
use super::options::StepOptions;
use super::scales::Scales;
use crate::integrators::ErrorNorm;
use crate::linearize::External;
use std::sync::Arc;

/// What the convex step knows of a diagram beside what is linearized: made once, shared by all copies of a step.
#[derive(Debug)]
pub struct StepPlan {
    pub options: StepOptions,
    /// What counts as nothing; shared with what moves on constraints.
    pub scales: Arc<Scales>,
    pub norm: ErrorNorm,
    /// What an error of each entry of the state counts, or of a velocity the way that it makes.
    pub weights: Vec<f64>,
    pub movers: Movers,
    /// Whether the rates of free motion depend on what plants report of a step.
    pub reads_records: bool,
    /// Whether the energy of each plant changes by nothing but dissipation.
    pub keeps_energy: Vec<bool>,
}

/// What looks at a step has at hand of the diagram.
pub(super) struct StepContext<'a> {
    pub plan: &'a StepPlan,
    pub external: &'a mut External,
    /// What brings the end of a step to the constraints.
    pub ends: &'a mut EndProjection,
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
        let scales = Arc::new(Scales::new(&options, external));
        let movers = Movers::new(diagram, layout);
        let external_weight = options.error_weights.unwrap_or_default().external;
        let weight = |of: &Option<usize>| of.map_or(external_weight, |velocity| scales.weight(velocity));
        let weights = movers.velocities.iter().map(weight).collect();
        StepPlan { options, weights, scales, norm, movers, reads_records, keeps_energy }
    }
}
