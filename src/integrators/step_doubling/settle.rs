//! What is looked at before an accurate step is taken: its energy ([`Ledger`](crate::integrators::ledger::Ledger)).
//!
//! The energy at the end needs the depths of contacts there, which the next step needs as well: its point is prepared
//! ahead.

use super::StepDoubling;
use crate::diagram::State;
use crate::integrators::{OneStep, Statistics};

/// A step of `h` \[s\] that error control would take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proposed {
    pub h: f64,
    /// The time at its end \[s\].
    pub end: f64,
    /// The step to be attempted next \[s\].
    pub next: f64,
    /// The shortest step that may be asked for \[s\].
    pub shortest: f64,
}

impl<M: OneStep> StepDoubling<M> {
    /// The point at the end of a step, prepared ahead, becomes that at the start of the next.
    pub(super) fn swap_points(&mut self) {
        std::mem::swap(&mut self.start, &mut self.ahead);
        self.swapped = !self.swapped;
    }

    /// Makes the end of the last attempt, from `state`, that of a step: `self.next_state`, with the records of it.
    /// Returns by how much shorter a step to try instead, if this one gains energy.
    pub(super) fn settle(&mut self, state: &State, step: Proposed, statistics: &mut Statistics) -> Option<f64> {
        let noted = (statistics.max_contacts, statistics.max_penetration);
        let StepDoubling { method, middle, end, records, next_state, .. } = self;
        next_state.clone_from(state);
        method.record(middle, 0.5 * step.h, end, &mut next_state.discrete, records, statistics);
        next_state.time = step.end;
        next_state.continuous.clone_from(&end.continuous);
        self.settled = false;
        let accuracy = self.control.accuracy;
        let start = self.method.energy_at(&self.start.point, accuracy)?;
        let near = start.near || self.method.energy_at(&self.middle, accuracy).is_some_and(|middle| middle.near);
        if !near {
            return None;
        }
        let mut ledger = self.ledger;
        let found = loop {
            let improved = self.plain.end != self.end.continuous;
            let StepDoubling { method, ahead, next_state, .. } = self;
            // A fault is met again, and dealt with, by the next step.
            ahead.prepare_ahead(method, next_state, step.next, statistics).ok()?;
            let end = method.energy_at(&ahead.point, accuracy)?;
            if ledger.accepts(start, end, accuracy, improved) {
                break None;
            }
            if !improved {
                break Some(ledger.repeat(step.h)).filter(|part| part * step.h >= step.shortest);
            }
            self.half.continuous.clone_from(&self.plain.half);
            self.end.continuous.clone_from(&self.plain.end);
            self.next_state.continuous.clone_from(&self.plain.end);
        };
        self.ledger = ledger;
        self.settled = found.is_none();
        if found.is_some() {
            (statistics.max_contacts, statistics.max_penetration) = noted;
        }
        found
    }
}

/// The half steps before they are improved.
#[derive(Clone, Debug, Default)]
pub(super) struct Plain {
    pub half: Vec<f64>,
    pub end: Vec<f64>,
}
