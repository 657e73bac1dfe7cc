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
use super::step::{ContactStep, Scratch};
use crate::integrators::Candidate;

impl ContactStep {
    /// Error, with the worst coordinate, that the difference to the full step may miss: the distance that is lost where
    /// motion against a limit ended in the first half, to `half`, of a step of length `h` from `start`; `None` if none
    /// ended.
    pub(in crate::integrators) fn unseen_error(
        &mut self,
        start: &StepPoint,
        h: f64,
        half: &Candidate,
    ) -> Option<(f64, usize)> {
        if half.regimes.iter().all(|regime| regime.ended == 0.0) {
            return None;
        }
        let ContactStep { external, plan, scratch: Scratch { ahead, rates, lost, .. }, .. } = self;
        let (problem, continuous) = (&start.problem, &half.continuous);
        lost.clear();
        lost.resize(problem.size(), 0.0);
        for (c, regime) in half.regimes.iter().enumerate() {
            for i in problem.velocities_of(c) {
                lost[i] = regime.ended * (problem.start_velocity()[i] - half.velocity[i]);
            }
        }
        ahead.clone_from(continuous);
        external.layout().advance_positions(external.diagram(), continuous, lost, 0.25 * h, ahead, rates); // formula
        Some(plan.norm.distance(continuous, ahead))
    }
}
