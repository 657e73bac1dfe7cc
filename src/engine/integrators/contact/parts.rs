//! Parts of an attempt: full step, half steps, thirds, and the first difference between them.

use super::point::StepPoint;
use crate::integrators::Candidate;

/// Difference between the full step and the half steps of an attempt, as they were solved, each with the worst
/// coordinate.
#[derive(Clone, Copy, Debug)]
pub struct FirstDifference {
    /// Difference where no third solution is possible.
    pub elsewhere: (f64, usize),
    /// Difference where contact lasts and a third solution may be kept, if that is so anywhere.
    pub lasting: Option<(f64, usize)>,
}

impl FirstDifference {
    /// True if the attempt needs a third solution to be accurate, and may be accurate with one.
    pub fn is_for_thirds(&self, accuracy: f64) -> bool {
        self.lasting.is_some_and(|(error, _)| error > accuracy) && self.elsewhere.0 <= accuracy
    }
}

/// Normal forces that friction uses in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::integrators) enum FrictionLoads {
    /// Measured at the start of the step.
    #[default]
    Measured,
    /// The step's own: those of a first solution, which uses the measured ones.
    Own,
    /// The step's own, where the first solution is known, and is the guess.
    OwnOfGuess,
}

/// A full step as it was solved.
#[derive(Debug)]
pub(in crate::integrators) struct FullStep<'a> {
    /// Point at the start of it and of its first half.
    pub start: &'a StepPoint,
    /// Point at the start of its second half.
    pub middle: &'a StepPoint,
    /// Length \[s\].
    pub h: f64,
    /// Its solution.
    pub solution: &'a Candidate,
}

/// A step that was solved in halves.
#[derive(Debug)]
pub(in crate::integrators) struct Halves<'a> {
    /// Point at the start.
    pub start: &'a StepPoint,
    /// Point at the start of its second half.
    pub middle: &'a mut StepPoint,
    /// Length \[s\].
    pub h: f64,
    /// Full step.
    pub full: &'a Candidate,
    /// First half, the last that was solved from the start.
    pub half: &'a Candidate,
    /// Second half, with the end as it is kept.
    pub end: &'a Candidate,
    /// End as it was solved.
    pub solved_end: &'a [f64],
}

/// A step in three parts.
#[derive(Clone, Copy, Debug)]
pub(in crate::integrators) struct ThreeParts<'a> {
    /// Ends of the parts.
    pub ends: &'a [Candidate; 3],
    /// End of the two half steps, as it was solved.
    pub halves: &'a [f64],
    /// Point at the start of the last part.
    pub last: &'a StepPoint,
}
