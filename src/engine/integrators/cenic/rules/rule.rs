//! What a rule of the step is.

use crate::integrators::cenic::prepared::Prepared;
use crate::integrators::cenic::scheme::{Point, Scheme};
use crate::integrators::rule::Rule;
use crate::integrators::{MechanicalEnergy, OneStep, Outcome, Statistics, StepControl};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

/// A start of a step, as rules see it that bound its length.
pub(in crate::integrators::cenic) struct Start<'a, S: Scheme> {
    /// The scheme, with its method.
    pub scheme: &'a mut S,
    /// The prepared point.
    pub point: &'a mut Point<S>,
    /// The length that would be attempted \[s\].
    pub h: f64,
    /// The accuracy.
    pub accuracy: f64,
}

/// An attempt that error control would accept, as rules see it that judge.
pub(in crate::integrators::cenic) struct Trial<'a, S: Scheme> {
    pub scheme: &'a mut S,
    /// The state at its start, and the point there.
    pub state: &'a State,
    pub start: &'a mut Prepared<Point<S>>,
    /// Its length, and the time at its end \[s\].
    pub h: f64,
    pub end: f64,
    /// How far the next step may go \[s\].
    pub left: f64,
    pub control: &'a StepControl,
    pub statistics: &'a mut Statistics,
    /// The point at its end, prepared ahead, and whether it is that of the end as it is kept.
    pub ahead: &'a mut Prepared<Point<S>>,
    pub settled: bool,
    /// The state that it leads to, once it was asked for.
    pub next_state: &'a mut State,
    pub records: &'a mut Vec<StepRecord>,
    pub is_recorded: bool,
}

impl<'a, S: Scheme> Trial<'a, S> {
    /// Records what acted in the attempt, and makes its end a state.
    pub fn record(&mut self) {
        if !std::mem::replace(&mut self.is_recorded, true) {
            self.next_state.clone_from(self.state);
            let (point, discrete) = (&mut self.start.point, &mut self.next_state.discrete);
            self.scheme.record(point, self.h, discrete, self.records, self.statistics);
            self.next_state.time = self.end;
            self.read_end();
        }
    }

    /// The energy at the end, as it is kept; `None` if it is not known.
    pub fn energy_at_end(&mut self) -> Option<MechanicalEnergy> {
        let next = { *self.control }.first_attempt(self.left);
        self.ahead.prepare_ahead(self.scheme.method_mut(), self.next_state, next, self.statistics).ok()?;
        self.scheme.method().energy_at(&self.ahead.point, self.control.accuracy)
    }

    /// Takes the end of the attempt, as it is kept, into the state that it leads to.
    pub fn read_end(&mut self) {
        self.next_state.continuous.clone_from(&self.scheme.end().continuous);
    }
}

/// What a rule says of an attempt that error control would accept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::integrators::cenic) enum Verdict {
    /// It may be taken.
    Accept,
    /// A shorter one is to be tried.
    Again(Again),
}

/// How a step is tried again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::integrators::cenic) struct Again {
    /// The longest step to be tried \[s\].
    pub longest: f64,
    /// What became of the attempt.
    pub outcome: Outcome,
    /// Whether the shorter length is one that control goes on from; otherwise it goes on from what it wanted before.
    pub wanted: bool,
}

/// One rule of stepping: it bounds a step before it is tried, or judges the attempt.
pub(in crate::integrators::cenic) trait StepRule<S: Scheme> {
    /// Which one it is.
    fn rule(&self) -> Rule;

    /// A step from `time` begins.
    fn begin(&mut self, _time: f64) {}

    /// How far to step from `time` at most, with `remaining` \[s\] to the limit.
    fn horizon(&self, _time: f64, remaining: f64) -> f64 {
        remaining
    }

    /// How long \[s\] a step from a prepared point may be.
    fn longest_step(&mut self, _start: &mut Start<'_, S>) -> f64 {
        f64::INFINITY
    }

    /// Judges an attempt that error control would accept.
    fn judge(&mut self, _trial: &mut Trial<'_, S>) -> Verdict {
        Verdict::Accept
    }

    /// A step of length `h` \[s\] was accepted.
    fn accepted(&mut self, _h: f64, _control: &mut StepControl) {}

    /// A step of free motion was accepted in place of so many others.
    fn moved_freely(&mut self, _steps: f64) {}
}
