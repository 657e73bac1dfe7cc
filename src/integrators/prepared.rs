//! A point that knows which state it was prepared for.

use super::{OneStep, Statistics, StepFailure};
use crate::diagram::State;

/// A point and the state that it was prepared for: prepared once, it serves every attempt from there.
#[derive(Clone, Default)]
pub(super) struct Prepared<P> {
    /// The point.
    pub point: P,
    of: Option<State>,
}

impl<P> Prepared<P> {
    /// Prepares the point for steps of at most `reach` from `state`, unless it is. Keyed on the state itself: a state
    /// changed from outside is never mistaken for a retry.
    pub fn prepare<M: OneStep<Point = P>>(
        &mut self,
        method: &mut M,
        state: &State,
        reach: f64,
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        if self.of.as_ref() != Some(state) {
            let mut of = self.of.take().unwrap_or_default();
            method.prepare(state, reach, None, &mut self.point, statistics)?;
            of.clone_from(state);
            self.of = Some(of);
        }
        Ok(())
    }

    /// Forgets the state.
    pub fn forget(&mut self) {
        self.of = None;
    }
}
