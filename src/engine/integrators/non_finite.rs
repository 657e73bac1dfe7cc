//! What a run does where a value is not a finite number.

/// What a run does where an output or a discrete state is not a finite number. Continuous states are finite in any
/// case: no integrator accepts a step that ends in others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NonFinite {
    /// It stops and names the block.
    #[default]
    Stop,
    /// It goes on, and records the value as it is.
    Keep,
}
