//! How long a step is, and to what.

/// How long a step is and when it ends: the sum of its start and its length may be another number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSpan {
    /// Its length \[s\].
    pub h: f64,
    /// The time at its end \[s\].
    pub end: f64,
}

/// A step to be solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToSolve {
    /// Its length \[s\].
    pub h: f64,
    /// The tolerance of the solver, relative.
    pub tolerance: f64,
}
