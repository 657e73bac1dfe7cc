//! Steps of free motion in place of convex ones, in a scheme under error control.

use super::scheme::Scheme;
use super::step::Controlled;
use crate::integrators::limit::Goal;
use crate::integrators::search::Accepted;
use crate::integrators::{IntegratorError, Step, StepSpan};
use kinegraph_diagram::State;

impl<S: Scheme> Controlled<S> {
    /// Takes a step of free motion of the whole diagram, if it can be about as long as the convex step that would be
    /// attempted with `longest` \[s\] to go, or if constraints or joint stops take part.
    pub(super) fn step_freely(
        &mut self,
        state: &mut State,
        goal: Goal,
        longest: f64,
    ) -> Option<Result<Step, IntegratorError>> {
        let convex = { self.control }.first_attempt(longest);
        let Controlled { scheme, start, control, free_motion, statistics, tuning, free_end: next, .. } = self;
        let method = scheme.method_mut();
        // A fault is met again, and dealt with, by the convex step.
        start.prepare(method, state, convex, statistics).ok()?;
        let bound = method.is_bound(&start.point);
        // The length of convex steps with constraints is not known before one was taken. Still, free motion may not
        // pursue the end of its freedom in ever shorter steps.
        let is_unknown = bound && control.memory().wanted.is_none();
        let compared = if is_unknown { tuning.free_unknown * convex } else { convex };
        let lengths = free_motion.lengths(convex, compared, goal, bound)?;
        if method.settle(&start.point, state, bound) {
            start.prepare(method, state, convex, statistics).ok()?;
        }
        let free_step = free_motion.search(method, &start.point, state.time, lengths, next, statistics)?;
        let Accepted { h, error, .. } = free_step.accepted;
        // With constraints or stops, free steps may be shorter than convex ones. Where stability keeps them short,
        // convex ones were not tried for a while: they may be much longer by now.
        let possible = if bound && free_step.stiff {
            let error = 0.5 * method.departure(&start.point, h, next);
            tuning.safety * h * (control.accuracy / error).sqrt()
        } else {
            h
        };
        free_motion.note(&free_step, control, convex, possible);
        if let Err(diverges) = self.check_divergence(state, h, |own| &own.free_end.continuous) {
            return Some(Err(diverges));
        }
        (self.decisions.reach, self.decisions.is_free, self.decisions.is_bound) = (convex, true, bound);
        self.rules.moved_freely(h / convex);
        let (end, reached) = goal.end_of_step(state.time, h);
        self.output.solved.note_free((state.time, end));
        let span = StepSpan { h, end };
        self.scheme.method_mut().accept_free_motion(state, span, &mut self.output.dense, &mut self.output.records);
        Some(Ok(if reached { Step::ReachedLimit { h, error } } else { Step::Accepted { h, error } }))
    }
}
