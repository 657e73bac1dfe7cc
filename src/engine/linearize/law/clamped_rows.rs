//! Rows of actuators whose limit is near: a clamped law of their own velocity, or a row of K that is clamped as a
//! whole.

use super::Law;
use crate::linearize::effort_limits::effort_limit;
use crate::linearize::{External, Feedback};
use kinegraph_convex::contact::{FeedbackBlock, LimitedEffort, LimitedRow, Problem};

impl Law {
    /// True if the actuator on velocity `row` has a law of more than its own velocity, or one without a convex
    /// potential.
    pub(super) fn reacts_to_others(&self, block: &FeedbackBlock, row: usize, feedback: Feedback) -> bool {
        if feedback != Feedback::Full || self.options.decoupled {
            return false;
        }
        block.velocities.iter().any(|&j| {
            let k = self.column[j].map_or(0.0, |c| self.gains.actuation[(row, c)]);
            if j == row { k < 0.0 } else { k != 0.0 }
        })
    }

    /// Writes the clamped scalar law of a row.
    pub(super) fn clamp_alone(&self, external: &External, row: usize, problem: &mut Problem) {
        let gain = self.column[row].map_or(0.0, |c| self.gains.actuation[(row, c)]);
        if gain > 0.0 {
            let limit = effort_limit(external, row, self.span.share);
            let bias = self.scratch.forces.actuation[row] + gain * problem.start_velocity()[row];
            problem.step_terms.force[row] = self.scratch.forces.applied[row];
            problem.elements.push(LimitedEffort { velocity: row, gain, bias, limit });
        }
    }

    /// Moves the rows with a limit out of the gain of a block: each is clamped as a whole.
    pub(super) fn clamp_rows(&self, external: &External, block: &mut FeedbackBlock, problem: &mut Problem) {
        let n = block.velocities.len();
        for i in 0..n {
            let row = block.velocities[i];
            let (limit, effort) = (effort_limit(external, row, self.span.share), self.scratch.forces.actuation[row]);
            let alone = self.efforts.clamped[row] && !self.reacts_to_others(block, row, Feedback::Full);
            let reacts = |j: &usize| self.column[*j].is_some_and(|c| self.gains.actuation[(row, c)] != 0.0);
            if !limit.is_finite() || alone || !block.velocities.iter().any(reacts) {
                continue;
            }
            for (j, &column) in block.velocities.iter().enumerate() {
                let applied = self.column[column].map_or(0.0, |c| self.gains.applied[(row, c)]);
                block.limited_gain.push(block.gain[j * n + i] - applied);
                block.gain[j * n + i] = applied;
            }
            block.limited.push(LimitedRow { velocity: row, effort, limit });
            problem.step_terms.force[row] = self.scratch.forces.applied[row];
        }
    }
}
