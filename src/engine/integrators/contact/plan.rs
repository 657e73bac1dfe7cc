//! Properties of a diagram that the convex step uses.

use super::kept_energy::is_kept;
use super::movers::Movers;
use super::options::StepOptions;
use super::scales::Scales;
use crate::integrators::ErrorNorm;
use crate::linearize::External;
use std::sync::Arc;

/// Properties of a diagram besides its linearization: made once, shared by all copies of a step.
#[derive(Debug)]
pub struct StepPlan {
    pub options: StepOptions,
    /// Scales of the run; shared with the motion on constraints.
    pub scales: Arc<Scales>,
    pub norm: ErrorNorm,
    /// Weight of an error of each entry of the state; of a velocity, that of the distance that it makes.
    pub weights: Vec<f64>,
    pub movers: Movers,
    /// True if the rates of free motion depend on reports of plants about a step.
    pub reads_records: bool,
    /// For each plant, true if its energy changes by nothing but dissipation.
    pub keeps_energy: Vec<bool>,
}

impl StepPlan {
    /// Plan of steps with `options` of the diagram of `external`.
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
