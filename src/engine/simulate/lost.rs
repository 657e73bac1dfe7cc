//! Bodies that fell through what they stood on: an integrator finds nothing wrong with them, but the run is of no use
//! to its author.

use super::Simulation;
use kinegraph_core::convex::LostBody;
use std::fmt;

/// A body of a plant that fell through the body below its initial position, and falls freely.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Lost {
    /// Plant.
    pub plant: String,
    /// Body, full name.
    pub body: String,
    /// Body that did not hold it, or `ground`.
    pub through: String,
    /// Time at which it left everything above that stands still \[s\].
    pub time: f64,
    /// Reason why nothing held it.
    pub why: String,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lost { plant, body, through, time, why } = self;
        write!(f, "{plant}: {body} fell through {through} (t = {time:.3} s) and falls freely: {why}")
    }
}

impl Simulation {
    /// Bodies that fell through the bodies below their initial positions, and fall freely now.
    pub fn lost_bodies(&self) -> Vec<Lost> {
        let (state, start) = (self.state(), self.diagram().initial_state());
        let mut found = Vec::new();
        for (block, plant) in self.diagram().plants() {
            let split = |x: &[f64]| -> (Vec<f64>, Vec<f64>) {
                let (q, v) = x[block.state.clone()].split_at(plant.structure().num_positions);
                (q.to_vec(), v.to_vec())
            };
            let ((start, _), (q, v)) = (split(&start.continuous), split(&state.continuous));
            found.extend(plant.lost_bodies(&start, &q, &v).into_iter().map(|lost| {
                let LostBody { body, through, since, why } = lost;
                let (plant, time, why) = (block.name.clone(), state.time - since, why.to_string());
                Lost { plant, body, through, time, why }
            }));
        }
        found
    }
}
