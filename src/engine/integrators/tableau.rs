//! The coefficients of explicit Runge-Kutta methods.

/// The coefficients of a method with s stages.
#[derive(Debug)]
pub struct Tableau {
    /// Name in files and on the command line.
    pub name: &'static str,
    /// Order of accuracy.
    pub order: i32,
    /// Power of the step length with which the error estimate shrinks.
    pub estimate_order: i32,
    /// Stability limit on the negative real axis: a decay at the rate r is followed by steps up to this part of 1/r.
    pub stability: f64,
    /// Nodes c, s entries.
    pub nodes: &'static [f64],
    /// Coefficients a, row i with i entries (from 0).
    pub stages: &'static [&'static [f64]],
    /// Weights b, s entries.
    pub weights: &'static [f64],
    /// Error weights e, s + 1 entries.
    pub error: &'static [f64],
    /// Weights of the derivatives in the dense output's term of fourth order, s + 1 entries; empty: dense output is
    /// cubic.
    pub quartic: &'static [f64],
}
