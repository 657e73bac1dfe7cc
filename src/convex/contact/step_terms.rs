//! Terms of a problem that depend on the length of its step.

/// Length of a step, with the inertia and the momentum that follow from it.
#[derive(Clone, Debug, Default)]
pub struct StepTerms {
    /// Length of the step \[s\].
    pub dt: f64,
    /// A = M + h D + h² K, block by block \[kg, kg m, kg m²\].
    pub dynamics: Vec<f64>,
    /// Part of the diagonal of A by springs at this step length \[kg, kg m²\].
    pub(crate) spring_inertia: Vec<f64>,
    /// Momentum r that the solution has to balance \[N s, N m s\].
    pub momentum: Vec<f64>,
    /// Force per velocity at v = v0, besides bias and damping \[N, N m\]: open-loop inputs and the constant part of
    /// feedback.
    pub force: Vec<f64>,
}
