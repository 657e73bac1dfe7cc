//! A step taken again from a nearby state, with the decisions of the first time: see `decisions.rs`.

use super::attempt::AttemptDecisions;
use super::rules::Trial;
use super::scheme::{Aim, Scheme};
use super::step::Controlled;
use crate::integrators::search::Accepted;
use crate::integrators::tuning::CenicTuning;
use crate::integrators::{Decisions, StepFailure, StepSpan};
use kinegraph_convex::choices::solver::MIN_TOLERANCE;
use kinegraph_diagram::State;

impl<S: Scheme> Controlled<S> {
    /// Notes the decisions of the last attempt, which is accepted.
    pub(super) fn note_decisions(&mut self) {
        let decided = self.scheme.doubling().map(|halves| (halves.decided, halves.kept.is_plain()));
        let (AttemptDecisions { in_thirds, follows_loads }, plain) = decided.unwrap_or_default();
        let points = &self.start.point.problem.contacts.points;
        let smoothness = self.scheme.method().smoothness();
        let own = &mut self.decisions;
        own.refines_friction = smoothness.refines && points.iter().any(|contact| contact.depth > 0.0 && contact.rubs());
        own.smoothness.set(smoothness);
        own.follows_impact = self.start.point.bounds.follows;
        (own.is_free, own.is_bound) = (false, false);
        (own.in_thirds, own.follows_loads, own.plain) = (in_thirds, follows_loads, plain);
    }

    /// Takes a step from `state` to the time `end` with these decisions.
    pub(super) fn repeat_step(
        &mut self,
        state: &mut State,
        end: f64,
        decisions: &Decisions,
    ) -> Result<(), StepFailure> {
        if !decisions.opens_stops {
            return self.repeat_as_decided(state, end, decisions);
        }
        // Neither this point nor the next one is prepared for the same stops.
        self.start.forget();
        self.scheme.method_mut().opens_stops = true;
        let repeated = self.repeat_as_decided(state, end, decisions);
        self.scheme.method_mut().opens_stops = false;
        self.start.forget();
        repeated
    }

    fn repeat_as_decided(&mut self, state: &mut State, end: f64, decisions: &Decisions) -> Result<(), StepFailure> {
        let h = end - state.time;
        let reach = decisions.reach.max(h);
        self.forget_attempts();
        let Controlled { scheme, start, statistics, .. } = self;
        start.prepare(scheme.method_mut(), state, reach, statistics)?;
        self.decisions.is_free = decisions.is_free;
        if decisions.is_free {
            return self.repeat_freely(state, StepSpan { h, end }, reach, decisions.is_bound);
        }
        start.point.bounds.follows = decisions.follows_impact;
        let Controlled { scheme, start, control, rules, tuning, forces, statistics, next, output, .. } = self;
        // Below the smallest tolerance by more than rounding, so that all digits are asked for.
        let tight = CenicTuning { solver_tolerance: 0.5 * MIN_TOLERANCE / control.accuracy, ..*tuning };
        let aim = Aim { accuracy: control.accuracy, on: rules.on, longest_crossing: None, tuning: &tight, forces };
        if let Some(halves) = scheme.doubling_mut() {
            let &Decisions { in_thirds, follows_loads, .. } = decisions;
            halves.forced = Some(AttemptDecisions { in_thirds, follows_loads });
            halves.known.clone_from(&decisions.solutions);
        }
        scheme.method_mut().force_smoothness(Some(&decisions.smoothness));
        let attempted = scheme.attempt(start, state, h, &aim, statistics);
        scheme.method_mut().force_smoothness(None);
        if let Some(halves) = scheme.doubling_mut() {
            (halves.forced, halves.known) = (None, None);
            if decisions.plain {
                halves.kept.take_plain();
            }
        }
        attempted?;
        next.settled = false;
        let records = &mut output.records;
        let (left, is_recorded) = (f64::INFINITY, false);
        Trial { scheme, rules, state, start, h, end, left, control, statistics, next, records, is_recorded }.record();
        self.accept(state, &Accepted { h, error: 0.0, chosen: false });
        Ok(())
    }

    /// Takes a step of free motion over `span` from `state`.
    fn repeat_freely(
        &mut self,
        state: &mut State,
        span: StepSpan,
        reach: f64,
        is_bound: bool,
    ) -> Result<(), StepFailure> {
        let Controlled { scheme, start, statistics, free_end, output, .. } = self;
        let method = scheme.method_mut();
        let mut settled = state.clone();
        if method.settle(&start.point, &mut settled, is_bound) {
            start.prepare(method, &settled, reach, statistics)?;
        }
        method.repeat_freely(&start.point, span, free_end, statistics)?;
        output.solved.note_free((state.time, span.end));
        state.clone_from(&settled);
        method.accept_free_motion(state, span, &mut output.dense, &mut output.records);
        Ok(())
    }
}
