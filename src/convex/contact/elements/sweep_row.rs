//! The rows of elements for solvers that sweep.

/// A row on the velocity of an element: `u + softness λ = target` as far as `lower <= λ <= upper`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepRow {
    /// What the row measures of the velocity, and by what its impulse acts: 1, or -1.
    pub sign: f64,
    /// \[m/s, rad/s\].
    pub target: f64,
    /// Compliance \[1/kg, 1/(kg m²)\].
    pub softness: f64,
    /// Least impulse \[N s, N m s\].
    pub lower: f64,
    /// Largest impulse.
    pub upper: f64,
    /// Whether its law holds at the time of [`RowRules`](super::RowRules), not at the end of the step.
    pub rigid: bool,
}
