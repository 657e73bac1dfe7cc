//! What is kept of an attempt: the half steps as they were solved, extrapolated, or refined.

use super::attempt::Doubling;
use super::scheme::Aim;
use crate::integrators::rule::Rule;
use crate::integrators::{Candidate, OneStep, Statistics};

/// The half steps of the last attempt.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// The first half step, and the second, which ends the step: as they are kept.
    pub half: Candidate,
    pub end: Candidate,
    /// Their ends as they were solved.
    plain_half: Vec<f64>,
    plain_end: Vec<f64>,
}

impl Kept {
    /// Notes the half steps as they were solved.
    fn note_plain(&mut self) {
        self.plain_half.clone_from(&self.half.continuous);
        self.plain_end.clone_from(&self.end.continuous);
    }

    /// Whether the end is other than it was solved.
    pub fn is_improved(&self) -> bool {
        self.plain_end != self.end.continuous
    }

    /// Keeps the half steps as they were solved.
    pub fn take_plain(&mut self) {
        self.half.continuous.clone_from(&self.plain_half);
        self.end.continuous.clone_from(&self.plain_end);
    }
}

impl<M: OneStep> Doubling<M> {
    /// Whether smooth parts of the motion are improved in a step from `start`.
    pub(super) fn improves(&mut self, start: &M::Point, aim: &Aim<'_>) -> bool {
        let is_on = |rule| aim.on.has(rule);
        let any = is_on(Rule::Extrapolation) || is_on(Rule::Refinement) || is_on(Rule::FrictionOnset);
        let is_tight = aim.accuracy <= aim.tuning.loosest_extrapolation;
        any && self.method.smooth().is_some_and(|motion| is_tight || motion.follows(start))
    }

    /// Decides what is kept of the half steps of length `h` from `start`; returns the error of that and the worst
    /// coordinate.
    pub(super) fn keep(
        &mut self,
        start: &M::Point,
        h: f64,
        (improves, aim): (bool, &Aim<'_>),
        statistics: &mut Statistics,
    ) -> (f64, usize) {
        let Doubling { method, middle, full, kept, .. } = self;
        let mut estimate = method.norm().distance(&full.continuous, &kept.end.continuous);
        kept.note_plain();
        if improves && let Some(motion) = method.smooth() {
            let halves = (&mut kept.half, &mut kept.end);
            let change = motion.improve((start, middle), h, full, halves, aim.on, statistics);
            estimate.0 = estimate.0.max(change);
        }
        estimate
    }
}
