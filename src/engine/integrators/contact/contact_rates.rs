//! Accelerations by contact in the rates of the continuous motion: by the contact law before it is discretized.

use super::build::{Sought, build};
use super::point::StepPoint;
use crate::linearize::External;
use kinegraph_convex::contact::Problem;
use kinegraph_convex::profile::Stopwatch;
use kinegraph_core::convex::Switches;

/// Evaluates contact within a step; keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub struct ContactRates {
    point: StepPoint,
    /// Cliques whose contacts count.
    cliques: Vec<bool>,
    accelerations: Vec<f64>,
}

impl ContactRates {
    /// Sets the switches that hold over the step, and the cliques whose contacts count.
    pub fn prepare(&mut self, switches: &[Switches], cliques: impl Iterator<Item = bool>) {
        switches.clone_into(&mut self.point.switches);
        self.cliques.clear();
        self.cliques.extend(cliques);
    }

    /// Adds to `rates` the accelerations that these contacts cause at `time` and `continuous` within a step of length
    /// `h`, where `external` has been evaluated. `false` if a mass matrix is singular.
    pub fn add(&mut self, external: &External, time: f64, continuous: &[f64], h: f64, rates: &mut [f64]) -> bool {
        // Its time counts as that of the whole refinement.
        let sought = Sought::Of(&self.cliques);
        build(external, time, continuous, sought, &mut self.point, &mut Stopwatch::default());
        self.point.problem.finish();
        self.accelerations.clear();
        self.accelerations.resize(self.point.problem.size(), 0.0);
        let done = self.point.problem.add_contact_accelerations(h, &mut self.accelerations);
        for slot in &external.layout().plants {
            let accelerations = &self.accelerations[slot.global.clone()];
            rates[slot.velocities.clone()].iter_mut().zip(accelerations).for_each(|(rate, a)| *rate += a);
        }
        done
    }

    /// Contact problem at the last evaluation.
    pub fn problem(&self) -> &Problem {
        &self.point.problem
    }
}
