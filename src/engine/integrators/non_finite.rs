//! Treatment of values that are not finite numbers in a run.

/// Treatment of an output or a discrete state that is not a finite number. Continuous states are finite in any case: no
/// integrator accepts a step that ends in others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NonFinite {
    /// The run stops and names the block.
    #[default]
    Stop,
    /// The run continues, and records the value as it is.
    Keep,
}
