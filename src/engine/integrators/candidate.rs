//! Candidate for the end of a step, and the guess for its solve.

use kinegraph_convex::contact::ContactForces;
use kinegraph_convex::contact::Regime;

/// Possible end of a step.
#[derive(Debug, Default)]
pub struct Candidate {
    /// Continuous state of the diagram at the end of the step.
    pub continuous: Vec<f64>,
    /// Velocities of the solution (of all plants), from which the next solve starts.
    pub velocity: Vec<f64>,
    /// Contact forces of the solution, from which the next solve starts.
    pub forces: ContactForces,
    /// Regimes of the elements that acted on each part of the state.
    pub regimes: Vec<Regime>,
    /// Efforts of actuators in the step, per velocity of all plants \[N m, N\]; empty where none acts.
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
