//! Half steps of an attempt, as they are kept: as they were solved, extrapolated, or refined.

use super::attempt::Doubling;
use super::scheme::Aim;
use crate::choices::extrapolation::MAX_STIFFNESS;
use crate::integrators::contact::StepPoint;
use crate::integrators::contact::parts::{FirstDifference, FullStep};
use crate::integrators::rule::Rule;
use crate::integrators::{Candidate, Statistics};

/// The half steps of the last attempt.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// First half step and second half step, which ends the step, as they are kept.
    pub half: Candidate,
    pub end: Candidate,
    /// Ends of both half steps as they were solved.
    plain_half: Vec<f64>,
    plain_end: Vec<f64>,
    /// True if a part of the kept end is the third solution: then the half steps alone are not accurate enough.
    pub third: bool,
}

impl Kept {
    /// Notes the half steps as they were solved.
    fn note_plain(&mut self) {
        self.plain_half.clone_from(&self.half.continuous);
        self.plain_end.clone_from(&self.end.continuous);
    }

    /// True if the kept end differs from the solved one.
    pub fn is_improved(&self) -> bool {
        !self.third && self.plain_end != self.end.continuous
    }

    /// True if the half steps are kept as they were solved, without a third solution.
    pub fn is_plain(&self) -> bool {
        !self.third && self.plain_end == self.end.continuous
    }

    /// The ends of the half steps as they were solved.
    pub fn plain(&self) -> [&[f64]; 2] {
        [&self.plain_half, &self.plain_end]
    }

    /// Keeps the half steps as they were solved.
    pub fn take_plain(&mut self) {
        self.half.continuous.clone_from(&self.plain_half);
        self.end.continuous.clone_from(&self.plain_end);
    }
}

impl Doubling {
    /// Reports whether smooth parts of the motion are improved in a step from `start`. Extrapolation does harm where a
    /// step is long against stiff feedback.
    pub(super) fn improves(&self, start: &StepPoint, aim: &Aim<'_>) -> bool {
        let is_on = |rule| aim.on.has(rule);
        let any = is_on(Rule::Extrapolation) || is_on(Rule::Refinement) || is_on(Rule::FrictionOnset);
        let stiffest = MAX_STIFFNESS / aim.accuracy;
        any && (self.method.follows(start) || start.problem.stiffness_ratio() <= stiffest)
    }

    /// Difference between the half steps of length `h` from `start`, as they were solved, and the full step.
    pub fn first_difference(&mut self, start: &StepPoint, h: f64, improves: bool, aim: &Aim<'_>) -> FirstDifference {
        let Doubling { method, middle, full, kept: Kept { half, end, .. }, .. } = self;
        if improves {
            return method.first_difference(&FullStep { start, middle, h, solution: full }, half, end, aim.on);
        }
        let elsewhere = method.plan.norm.distance(&full.continuous, &end.continuous);
        FirstDifference { elsewhere, lasting: None }
    }

    /// Decides which end of the half steps of length `h` from `start`, and of `thirds` if there are any, is kept.
    /// Returns its error beyond the first difference, and that of the third solution.
    pub fn keep(
        &mut self,
        start: &StepPoint,
        h: f64,
        improves: bool,
        thirds: bool,
        aim: &Aim<'_>,
        statistics: &mut Statistics,
    ) -> (f64, Option<(f64, usize)>) {
        let Doubling { method, middle, full, kept, thirds: three, .. } = self;
        kept.note_plain();
        kept.third = false;
        if !improves {
            return (0.0, None);
        }
        let Kept { half, end, plain_end, third, .. } = kept;
        let three = thirds.then(|| three.parts(plain_end));
        let full = FullStep { start, middle, h, solution: full };
        let found = method.improve(&full, half, end, three, aim.on, statistics);
        *third = found.1.is_some();
        found
    }
}
