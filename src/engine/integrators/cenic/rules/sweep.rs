//! Bounds the step of turning bodies, so that they meet nothing unseen in the region that they sweep over: see
//! `contact/sweeps.rs`.

use super::rule::{Start, StepRule};
use crate::integrators::OneStep;
use crate::integrators::cenic::scheme::Scheme;
use crate::integrators::rule::Rule;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sweep;

impl<S: Scheme> StepRule<S> for Sweep {
    fn rule(&self) -> Rule {
        Rule::Sweep
    }

    fn longest_step(&mut self, start: &mut Start<'_, S>) -> f64 {
        start.scheme.method_mut().time_of_sweep(start.point)
    }
}
