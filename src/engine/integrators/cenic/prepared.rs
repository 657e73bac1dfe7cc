//! A point together with the state that it was prepared for.

use crate::integrators::contact::{ContactStep, StepPoint};
use crate::integrators::{OneStep, Statistics, StepFailure};
use kinegraph_diagram::State;

/// A point and its state: prepared once, it serves every attempt from there.
#[derive(Clone, Default)]
pub struct Prepared {
    /// The point.
    pub point: StepPoint,
    of: Option<State>,
    /// Length \[s\] of steps for which it was prepared ahead, before the next step was known.
    ahead: Option<f64>,
}

impl Prepared {
    /// Prepares the point for steps of at most `reach` from `state`, unless it already is. The check compares the state
    /// itself, so that a state changed from outside is never mistaken for a retry.
    pub fn prepare(
        &mut self,
        method: &mut ContactStep,
        state: &State,
        reach: f64,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let stale = self.ahead.take().is_some_and(|other| other != reach);
        if stale || self.of.as_ref() != Some(state) {
            let mut of = self.of.take().unwrap_or_default();
            method.prepare(state, reach, &mut self.point, statistics)?;
            of.clone_from(state);
            self.of = Some(of);
        }
        Ok(())
    }

    /// Prepares the point for steps of at most `reach` from `state`, which may be asked for next.
    pub fn prepare_ahead(
        &mut self,
        method: &mut ContactStep,
        state: &State,
        reach: f64,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        self.ahead = Some(f64::NAN);
        self.prepare(method, state, reach, statistics)?;
        self.ahead = Some(reach);
        Ok(())
    }

    /// Forgets the state; keeps the memory.
    pub fn forget(&mut self) {
        self.ahead = Some(f64::NAN);
    }
}
