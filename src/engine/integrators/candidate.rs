//! Where a step would lead, and what it started from.

use kinegraph_convex::contact::ContactForces;
use kinegraph_convex::contact::Regime;

/// Where a step would lead.
#[derive(Debug, Default)]
pub struct Candidate {
    /// The diagram's continuous state at the end of the step.
    pub continuous: Vec<f64>,
    /// The velocities that the step found (of all plants), to start the next solve from.
    pub velocity: Vec<f64>,
    /// The contact forces that the step found, likewise.
    pub forces: ContactForces,
    /// What acted on each part of the state.
    pub regimes: Vec<Regime>,
    /// Efforts of actuators that the step used, per velocity of all plants \[N m, N\]; empty where none acts.
    pub efforts: Vec<f64>,
}

impl Clone for Candidate {
    fn clone(&self) -> Self {
        let mut copy = Candidate::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.continuous.clone_from(&other.continuous);
        self.velocity.clone_from(&other.velocity);
        self.forces.clone_from(&other.forces);
        self.regimes.clone_from(&other.regimes);
        self.efforts.clone_from(&other.efforts);
    }
}
