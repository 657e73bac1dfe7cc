//! The law of a step in stages, for schemes whose forces come from several places.
//!
//! A scheme [begins](Law::begin) the law, writes its [forces](Law::forces_mut) and the [drift](Law::drift_mut) of the
//! external state, [eliminates](Law::eliminate) that state, and [completes](Law::complete) the law in its problem.

use super::{Forces, Law, TooLong, gain};
use crate::choices::effort_limits::FREE_EFFORT;
use crate::linearize::effort_limits::effort_limits;
use crate::linearize::{External, Feedback, Linearization};
use kinegraph_convex::contact::Problem;

/// The step and the part of the efforts of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawSpan {
    /// Length of the step \[s\].
    pub dt: f64,
    /// Time over which the external state is implicit \[s\].
    pub state_step: f64,
    /// Part of the efforts, and of their limits, that acts by this law.
    pub share: f64,
}

impl Law {
    /// Begins the law of a step.
    pub fn begin(&mut self, linear: &Linearization, feedback: Feedback, span: LawSpan) {
        let LawSpan { dt, state_step, share } = span;
        (self.dt, self.state_step, self.share, self.decoupled) = (dt, state_step, share, false);
        self.start(linear, feedback != Feedback::Explicit);
    }

    /// Forces of the law.
    pub fn forces_mut(&mut self) -> &mut Forces<f64> {
        &mut self.forces
    }

    /// Reads the open-loop inputs at `time` \[s\] and the continuous state `at`, and adds them to the forces.
    pub fn read_open_loop(&mut self, external: &mut External, linear: &Linearization, time: f64, at: &[f64]) {
        self.predicted.clear();
        self.predicted.extend_from_slice(at);
        let layout = external.shared_layout();
        self.read_open_loop_at_the_middle(external, linear, &layout.driven, time);
    }

    /// Rates of the external state over `state_step`: those among the forces, to be changed.
    pub fn drift_mut(&mut self) -> &mut [f64] {
        self.read_drift(self.forces.derivatives.len());
        self.drift.as_mut_slice()
    }

    /// Eliminates the external state: its drift goes to the forces, and `share` of its reaction to the gains.
    pub fn eliminate(&mut self, linear: &Linearization) {
        let (step, share) = (self.state_step, self.share);
        self.eliminate_external_state(linear);
        for (k, part) in [(&mut self.k_actuation, &linear.actuation), (&mut self.k_applied, &linear.applied)] {
            linear.groups.all().iter().for_each(|group| gain(part, group, &self.response, step, k));
            if share != 1.0 {
                k.scale(share);
            }
        }
        self.add_drift(linear, step);
    }

    /// Writes the law into `problem`, whose start velocity is the expected one.
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
        self.clamped.clear();
        for (row, limit) in effort_limits(external, self.share).enumerate() {
            self.clamped.push(self.forces.actuation[row].abs() > FREE_EFFORT * limit);
        }
        self.write(external, feedback, problem)
    }
}
