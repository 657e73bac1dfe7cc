//! The law of a step in stages, for schemes whose forces come from several times of the step.
//!
//! A scheme [begins](Law::begin) the law, writes its [forces](Law::forces_mut) and the [drift](Law::drift_mut) of the
//! external state, [eliminates](Law::eliminate) that state, and [completes](Law::complete) the law in its problem.

use super::{Forces, Law, TooLong, gain};
use crate::choices::effort_limits::FREE_EFFORT;
use crate::linearize::effort_limits::effort_limits;
use crate::linearize::{External, Feedback, Linearization};
use kinegraph_convex::contact::Problem;

/// The times over which a law acts, and its share of the efforts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawSpan {
    /// Length of the step \[s\].
    pub dt: f64,
    /// Time over which the external state is implicit \[s\].
    pub state_step: f64,
    /// Fraction of the efforts, and of their limits, that this law represents.
    pub share: f64,
}

impl Law {
    /// Begins the law of a step.
    pub fn begin(&mut self, linear: &Linearization, feedback: Feedback, span: LawSpan) {
        let LawSpan { dt, state_step, share } = span;
        (self.span.dt, self.span.state_step, self.span.share, self.options.decoupled) = (dt, state_step, share, false);
        self.start(linear, feedback != Feedback::Explicit);
    }

    /// Forces of the law, which the scheme writes.
    pub fn forces_mut(&mut self) -> &mut Forces<f64> {
        &mut self.scratch.forces
    }

    /// Evaluates the inputs that react to nothing (open loop) at `time` \[s\] and the continuous state `at`, and puts
    /// them in the place of those among the forces.
    pub fn read_open_loop(&mut self, external: &mut External, linear: &Linearization, time: f64, at: &[f64]) {
        self.scratch.predicted.clear();
        self.scratch.predicted.extend_from_slice(at);
        let layout = external.shared_layout();
        self.read_open_loop_at_the_middle(external, linear, &layout.driven, time);
    }

    /// Copies the rates of the external state from the forces, and returns them to be changed: its drift over
    /// `state_step`.
    pub fn drift_mut(&mut self) -> &mut [f64] {
        self.read_drift(self.scratch.forces.derivatives.len());
        self.response.drift.as_mut_slice()
    }

    /// Eliminates the external state: adds the effect of its drift to the forces, and sets the gains to `share` of its
    /// reaction.
    pub fn eliminate(&mut self, linear: &Linearization) {
        let (step, share) = (self.span.state_step, self.span.share);
        self.eliminate_external_state(linear);
        for (k, part) in [(&mut self.gains.actuation, &linear.actuation), (&mut self.gains.applied, &linear.applied)] {
            linear.groups.all().iter().for_each(|group| gain(part, group, &self.response.columns, step, k));
            if share != 1.0 {
                k.scale(share);
            }
        }
        self.add_drift(linear, step);
    }

    /// Writes the law into `problem`. Its start velocity must be the one about which the law is linear.
    ///
    /// # Errors
    /// Errors of [`apply`](Self::apply).
    pub fn complete(
        &mut self,
        external: &External,
        linear: &Linearization,
        feedback: Feedback,
        problem: &mut Problem,
    ) -> Result<(), TooLong> {
        if feedback == Feedback::Explicit {
            self.write_explicit(external, problem);
            return Ok(());
        }
        self.find_columns(linear, external.layout().num_velocities);
        self.efforts.clamped.clear();
        for (row, limit) in effort_limits(external, self.span.share).enumerate() {
            self.efforts.clamped.push(self.scratch.forces.actuation[row].abs() > FREE_EFFORT * limit);
        }
        self.write(external, feedback, problem)
    }
}
