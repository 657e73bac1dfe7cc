//! The weights by which a method for differential equations takes the mean over a step.

/// The weights of what acts in the mean of a step.
#[derive(Clone, Copy, Debug)]
pub struct MeanWeights {
    /// At its start, then in its stages.
    pub stages: &'static [f64],
    /// At its end.
    pub end: f64,
}
