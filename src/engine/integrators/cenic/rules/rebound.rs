//! Ends steps where joint stops with restitution are struck: see `contact/rebound.rs`.

use super::rule::{Start, StepRule};
use crate::integrators::OneStep;
use crate::integrators::cenic::scheme::Scheme;
use crate::integrators::rule::Rule;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rebound;

impl<S: Scheme> StepRule<S> for Rebound {
    fn rule(&self) -> Rule {
        Rule::Rebound
    }

    fn longest_step(&mut self, start: &mut Start<'_, S>) -> f64 {
        start.scheme.method_mut().time_to_rebound(start.point, start.accuracy)
    }
}
