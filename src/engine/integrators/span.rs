//! Length and end of a step, and the tolerance of its solve.

/// Length and end of a step: rounding may make its start plus its length another number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSpan {
    /// Length \[s\].
    pub h: f64,
    /// Time at the end \[s\].
    pub end: f64,
}

/// A step to be solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToSolve {
    /// Length \[s\].
    pub h: f64,
    /// Relative tolerance of the solver.
    pub tolerance: f64,
}
