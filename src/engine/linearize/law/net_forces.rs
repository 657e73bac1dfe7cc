//! Forces of the law in a step: of actuators and of all other inputs, for read-outs.

use super::Law;
use crate::linearize::effort_limits::effort_limits;
use crate::linearize::{External, Feedback};
use kinegraph_convex::contact::{LimitedEffort, Problem};

impl Law {
    /// Splits the forces of the step that found the velocities `v` into those of actuators and all others. Together
    /// they are the forces in `problem`; where the gains of both were combined (their positive semidefinite part), the
    /// change by the projection counts as actuation.
    pub fn split_forces(&mut self, external: &External, feedback: Feedback, v: &[f64], problem: &Problem) {
        self.efforts.net_actuation.clone_from(&self.scratch.forces.actuation);
        self.efforts.net_applied.clone_from(&self.scratch.forces.applied);
        if feedback == Feedback::Explicit {
            for (effort, limit) in self.efforts.net_actuation.iter_mut().zip(effort_limits(external, self.span.share)) {
                *effort = effort.clamp(-limit, limit);
            }
            return;
        }
        self.reactions(v, problem);
        let v0 = problem.start_velocity();
        for block in &problem.feedback {
            for (column, &j) in block.gain.chunks_exact(block.velocities.len()).zip(&block.velocities) {
                for (&gain, &i) in column.iter().zip(&block.velocities) {
                    self.efforts.net_applied[i] -= gain * (v[j] - v0[j]);
                }
            }
        }
        self.efforts.reacts.clear();
        self.efforts.reacts.resize(v.len(), false);
        for &c in self.gains.groups.all().iter().flat_map(|group| &group.columns) {
            let (rows, gains) = self.gains.actuation.column(c);
            rows.iter().zip(gains).for_each(|(&row, gain)| self.efforts.reacts[row] |= *gain != 0.0);
        }
        for (row, limit) in effort_limits(external, self.span.share).enumerate() {
            let effort = &mut self.efforts.net_actuation[row];
            if self.efforts.clamped[row] {
                *effort = effort.clamp(-limit, limit);
            } else if self.efforts.reacts[row] {
                *effort += self.efforts.reaction[row];
                self.efforts.net_applied[row] -= self.efforts.reaction[row];
            }
        }
        for effort in problem.elements.of::<LimitedEffort>() {
            self.efforts.net_actuation[effort.velocity] = effort.effort(v[effort.velocity]);
        }
        for block in &problem.feedback {
            for (row, effort) in block.limited_efforts(v, v0) {
                self.efforts.net_actuation[row] = effort;
            }
        }
    }

    /// Efforts of actuators found by [`split_forces`](Self::split_forces), one per velocity.
    pub fn net_actuation(&self) -> &[f64] {
        &self.efforts.net_actuation
    }

    /// Forces of all other inputs found by [`split_forces`](Self::split_forces), one per velocity.
    pub fn net_applied(&self) -> &[f64] {
        &self.efforts.net_applied
    }
}
