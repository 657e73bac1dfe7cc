//! Views of a step that rules have: its start before it is tried, and the attempt afterwards.

use super::memory::Rules;
use crate::integrators::cenic::prepared::Prepared;
use crate::integrators::cenic::scheme::Scheme;
use crate::integrators::contact::{ContactStep, StepPoint};
use crate::integrators::{MechanicalEnergy, Outcome, Statistics, StepControl};
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::State;

/// Start of a step, for rules that bound its length.
pub(in crate::integrators::cenic) struct StepStart<'a> {
    /// The contact step.
    pub method: &'a mut ContactStep,
    /// The prepared point.
    pub point: &'a mut StepPoint,
    /// The rules, with their memory.
    pub rules: &'a mut Rules,
    /// Length \[s\] that would be attempted.
    pub h: f64,
    /// The accuracy.
    pub accuracy: f64,
}

/// End of an attempt as a state, once a rule has asked for it or the attempt is accepted.
#[derive(Clone, Default)]
pub(in crate::integrators::cenic) struct NextState {
    pub state: State,
    /// Point prepared ahead.
    pub point: Prepared,
    /// True if the point is prepared at the state.
    pub settled: bool,
}

/// Attempt that error control would accept, for rules that judge it.
pub(in crate::integrators::cenic) struct Trial<'a> {
    pub scheme: &'a mut dyn Scheme,
    /// The rules, with their memory.
    pub rules: &'a mut Rules,
    /// State at the start, and the point there.
    pub state: &'a State,
    pub start: &'a mut Prepared,
    /// Length, and time at the end \[s\].
    pub h: f64,
    pub end: f64,
    /// Longest possible next step \[s\].
    pub left: f64,
    pub control: &'a StepControl,
    pub statistics: &'a mut Statistics,
    pub next: &'a mut NextState,
    pub records: &'a mut Vec<StepRecord>,
    pub is_recorded: bool,
}

impl Trial<'_> {
    /// Records the forces of the attempt, and turns its end into a state.
    pub fn record(&mut self) {
        if !std::mem::replace(&mut self.is_recorded, true) {
            let next = &mut self.next.state;
            next.clone_from(self.state);
            self.scheme.record(&mut self.start.point, self.h, &mut next.discrete, self.records, self.statistics);
            next.time = self.end;
            self.read_end();
        }
    }

    /// Energy at the kept end; `None` if it is not known.
    pub fn energy_at_end(&mut self) -> Option<MechanicalEnergy> {
        let longest = { *self.control }.first_attempt(self.left);
        let NextState { state, point, .. } = &mut *self.next;
        point.prepare_ahead(self.scheme.method_mut(), state, longest, self.statistics).ok()?;
        self.scheme.method().energy_at(&point.point, self.control.accuracy)
    }

    /// Copies the kept end of the attempt into the next state.
    pub fn read_end(&mut self) {
        self.next.state.continuous.clone_from(&self.scheme.end().continuous);
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
