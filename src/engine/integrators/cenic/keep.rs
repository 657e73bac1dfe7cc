//! Half steps of an attempt, as they are kept: as they were solved, extrapolated, or refined.

use super::attempt::Doubling;
use super::scheme::Aim;
use crate::integrators::rule::Rule;
use crate::integrators::{Candidate, FirstDifference, FullStep, OneStep, Statistics};

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

impl<M: OneStep> Doubling<M> {
    /// Reports whether smooth parts of the motion are improved in a step from `start`. Extrapolation does harm where a
    /// step is long against stiff feedback. The tighter the accuracy, the stiffer the motion may be.
    pub(super) fn improves(&mut self, start: &M::Point, aim: &Aim<'_>) -> bool {
        let is_on = |rule| aim.on.has(rule);
        let any = is_on(Rule::Extrapolation) || is_on(Rule::Refinement) || is_on(Rule::FrictionOnset);
        let stiffest = aim.tuning.stiff / aim.accuracy;
        any && self.method.smooth().is_some_and(|motion| motion.follows(start) || motion.stiffness(start) <= stiffest)
    }

    /// Difference between the half steps of length `h` from `start`, as they were solved, and the full step.
    pub fn first_difference(&mut self, start: &M::Point, h: f64, improves: bool, aim: &Aim<'_>) -> FirstDifference {
        let Doubling { method, middle, full, kept: Kept { half, end, .. }, .. } = self;
        match if improves { method.smooth() } else { None } {
            Some(motion) => motion.first_difference(&FullStep { start, middle, h, solution: full }, half, end, aim.on),
            None => {
                let elsewhere = method.norm().distance(&full.continuous, &end.continuous);
                FirstDifference { elsewhere, lasting: None }
            }
        }
    }

    /// Decides which end of the half steps of length `h` from `start`, and of `thirds` if there are any, is kept.
    /// Returns its error beyond the first difference, and that of the third solution.
    pub fn keep(
        &mut self,
        start: &M::Point,
        h: f64,
        improves: bool,
        thirds: bool,
        aim: &Aim<'_>,
        statistics: &mut Statistics,
    ) -> (f64, Option<(f64, usize)>) {
        let Doubling { method, middle, full, kept, thirds: three, .. } = self;
        kept.note_plain();
        kept.third = false;
        let Some(motion) = (if improves { method.smooth() } else { None }) else { return (0.0, None) };
        let Kept { half, end, plain_end, third, .. } = kept;
        let three = thirds.then(|| three.parts(plain_end));
        let full = FullStep { start, middle, h, solution: full };
        let found = motion.improve(&full, half, end, three, aim.on, statistics);
        *third = found.1.is_some();
        found
    }
}
