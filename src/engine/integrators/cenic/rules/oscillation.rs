//! Follows impacts and oscillations that the accuracy can see: see `contact/oscillation.rs`.

use super::rule::{Start, StepRule};
use crate::integrators::OneStep;
use crate::integrators::cenic::scheme::Scheme;
use crate::integrators::rule::Rule;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Oscillation;

impl<S: Scheme> StepRule<S> for Oscillation {
    fn rule(&self) -> Rule {
        Rule::Oscillation
    }

    fn longest_step(&mut self, start: &mut Start<'_, S>) -> f64 {
        start.scheme.method_mut().time_of_oscillation(start.point, start.h, start.accuracy)
    }
}
