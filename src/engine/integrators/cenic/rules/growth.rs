//! Bounds steps by growing motion, which longer steps would damp: see `linearize/growth.rs`.

use super::rule::{Again, Start, StepRule, Trial, Verdict};
use crate::integrators::cenic::scheme::Scheme;
use crate::integrators::rule::Rule;
use crate::integrators::{OneStep, Outcome};
use crate::linearize::growth::{least_rate, longest_step};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Growth {
    /// Longest step from where the last one was proposed \[s\], if growth bounds it.
    longest: Option<f64>,
}

impl<S: Scheme> StepRule<S> for Growth {
    fn rule(&self) -> Rule {
        Rule::Growth
    }

    fn begin(&mut self, _time: f64) {
        self.longest = None;
    }

    fn longest_step(&mut self, start: &mut Start<'_, S>) -> f64 {
        let rate = start.scheme.method_mut().growth_rate(start.point, least_rate(start.h));
        let longest = longest_step(rate, start.h);
        self.longest = (longest < start.h).then_some(longest);
        longest
    }

    /// Asks for a shorter step where growth allows less than the shortest bound that a proposed step may have.
    fn judge(&mut self, trial: &mut Trial<'_, S>) -> Verdict {
        match self.longest.take() {
            Some(longest) if trial.h > longest => {
                Verdict::Again(Again { longest, outcome: Outcome::Inaccurate, wanted: true })
            }
            _ => Verdict::Accept,
        }
    }
}
