//! Interface of the rules of the step.

use crate::integrators::cenic::prepared::Prepared;
use crate::integrators::cenic::scheme::{Point, Scheme};
use crate::integrators::rule::Rule;
use crate::integrators::{MechanicalEnergy, OneStep, Outcome, Statistics, StepControl};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

/// Start of a step, for rules that bound its length.
pub(in crate::integrators::cenic) struct Start<'a, S: Scheme> {
    /// The scheme, with its method.
    pub scheme: &'a mut S,
    /// The prepared point.
    pub point: &'a mut Point<S>,
    /// Length \[s\] that would be attempted.
    pub h: f64,
    /// The accuracy.
    pub accuracy: f64,
}

/// Attempt that error control would accept, for rules that judge it.
pub(in crate::integrators::cenic) struct Trial<'a, S: Scheme> {
    pub scheme: &'a mut S,
    /// State at the start, and the point there.
    pub state: &'a State,
    pub start: &'a mut Prepared<Point<S>>,
    /// Length, and time at the end \[s\].
    pub h: f64,
    pub end: f64,
    /// Longest possible next step \[s\].
    pub left: f64,
    pub control: &'a StepControl,
    pub statistics: &'a mut Statistics,
    /// Point at the end, prepared ahead, and whether it belongs to the end that is kept.
    pub ahead: &'a mut Prepared<Point<S>>,
    pub settled: bool,
    /// State at the end, once it was asked for.
    pub next_state: &'a mut State,
    pub records: &'a mut Vec<StepRecord>,
    pub is_recorded: bool,
}

impl<'a, S: Scheme> Trial<'a, S> {
    /// Records the forces of the attempt, and turns its end into a state.
    pub fn record(&mut self) {
        if !std::mem::replace(&mut self.is_recorded, true) {
            self.next_state.clone_from(self.state);
            let (point, discrete) = (&mut self.start.point, &mut self.next_state.discrete);
            self.scheme.record(point, self.h, discrete, self.records, self.statistics);
            self.next_state.time = self.end;
            self.read_end();
        }
    }

    /// Energy at the kept end; `None` if it is not known.
    pub fn energy_at_end(&mut self) -> Option<MechanicalEnergy> {
        let next = { *self.control }.first_attempt(self.left);
        self.ahead.prepare_ahead(self.scheme.method_mut(), self.next_state, next, self.statistics).ok()?;
        self.scheme.method().energy_at(&self.ahead.point, self.control.accuracy)
    }

    /// Copies the kept end of the attempt into the next state.
    pub fn read_end(&mut self) {
        self.next_state.continuous.clone_from(&self.scheme.end().continuous);
    }
}

/// Verdict of a rule on an attempt that error control would accept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::integrators::cenic) enum Verdict {
    /// The attempt may be accepted.
    Accept,
    /// A shorter step is to be tried.
    Again(Again),
}

/// Request to try a step again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::integrators::cenic) struct Again {
    /// Longest step to be tried \[s\].
    pub longest: f64,
    /// Outcome of the attempt.
    pub outcome: Outcome,
    /// True if step control continues from the shorter length; otherwise it continues from the length that it wanted
    /// before.
    pub wanted: bool,
}

/// One rule of stepping: it bounds a step before it is tried, or judges the attempt.
pub(in crate::integrators::cenic) trait StepRule<S: Scheme> {
    /// The name of the rule.
    fn rule(&self) -> Rule;

    /// Begins a step from `time`.
    fn begin(&mut self, _time: f64) {}

    /// Longest step from `time` \[s\], with `remaining` \[s\] to the limit.
    fn horizon(&self, _time: f64, remaining: f64) -> f64 {
        remaining
    }

    /// Longest step \[s\] from a prepared point.
    fn longest_step(&mut self, _start: &mut Start<'_, S>) -> f64 {
        f64::INFINITY
    }

    /// Judges an attempt that error control would accept.
    fn judge(&mut self, _trial: &mut Trial<'_, S>) -> Verdict {
        Verdict::Accept
    }

    /// Notes that a step of length `h` \[s\] was accepted.
    fn accepted(&mut self, _h: f64, _control: &mut StepControl) {}

    /// Notes that a step of free motion was accepted in place of `steps` others.
    fn moved_freely(&mut self, _steps: f64) {}
}
