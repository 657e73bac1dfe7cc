//! Weights by which a method for differential equations takes the mean over a step.

/// Weights of a mean over a step.
#[derive(Clone, Copy, Debug)]
pub struct MeanWeights {
    /// Weight at its start, then in its stages.
    pub stages: &'static [f64],
    /// Weight at its end.
    pub end: f64,
}
