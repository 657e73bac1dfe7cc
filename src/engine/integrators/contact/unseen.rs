//! Motion that ends within half a step: an error that the difference of a full step and its half steps does not show.
//!
//! A body that friction stops within the first half of a step is at rest at the end of that half, of the other one and
//! of the full step, and an implicit method leaves all of them where the body was. The same holds for any motion
//! against a limit of a force. With the velocity v0 at the start of the half and v1 at its end, their mean gives the
//! distance `h/4 (v0 + v1)`, the method gives `h/2 v1`. A force that was at its limit for a part p of the half was
//! enough to end the motion, so that the missing distance is no more than
//!
//! ```text
//! p h/4 |v0 - v1|
//! ```

use super::StepPoint;
use super::step::ContactStep;
use crate::integrators::Candidate;

/// Memory of the unseen error.
#[derive(Clone, Debug, Default)]
pub(super) struct Unseen {
    velocity: Vec<f64>,
}

impl ContactStep {
    /// Returns the distance that is missed where motion against a limit ended in the first half, to `half`, of a step
    /// of length `h` from `start`, and the worst coordinate; `None` if none ended.
    pub(super) fn way_to_rest(&mut self, start: &StepPoint, h: f64, half: &Candidate) -> Option<(f64, usize)> {
        if half.regimes.iter().all(|regime| regime.ended == 0.0) {
            return None;
        }
        let (problem, lost) = (&start.problem, &mut self.unseen.velocity);
        lost.clear();
        lost.resize(problem.size(), 0.0);
        for (c, regime) in half.regimes.iter().enumerate() {
            for i in problem.velocities_of(c) {
                lost[i] = regime.ended * (problem.start_velocity()[i] - half.velocity[i]);
            }
        }
        Some(self.way_of(0.25 * h, &half.continuous)) // formula
    }

    /// Distance in the time `h` with the remembered velocities, from `continuous`, in the error norm.
    fn way_of(&mut self, h: f64, continuous: &[f64]) -> (f64, usize) {
        let ContactStep { external, plan, ahead, rates, unseen: Unseen { velocity, .. }, .. } = self;
        ahead.clear();
        ahead.extend_from_slice(continuous);
        external.layout().advance_positions(external.diagram(), continuous, velocity, h, ahead, rates);
        plan.norm.distance(continuous, ahead)
    }
}
