//! Numbers that an evaluation reads and writes.

use super::structure::Diagram;
use kinegraph_core::Scalar;

/// All signals of a diagram for one scalar.
#[derive(Clone, Debug)]
pub(super) struct Signals<S> {
    /// All outputs, then all fixed values.
    pub arena: Vec<S>,
    /// The outputs of the block that is called.
    pub scratch: Vec<S>,
    /// Discrete state: constant between events, for every scalar.
    pub discrete: Vec<f64>,
}

impl<S: Scalar> Signals<S> {
    /// Creates the signals: fixed values in place, outputs zero, discrete state at its initial value.
    pub fn new(diagram: &Diagram) -> Self {
        let mut arena = vec![S::zero(); diagram.arena_width()];
        for (range, values) in &diagram.inner.fixed {
            for (at, value) in range.clone().zip(values) {
                arena[at] = S::constant(*value);
            }
        }
        let scratch = vec![S::zero(); diagram.inner.scratch_width];
        Signals { arena, scratch, discrete: diagram.initial_discrete() }
    }
}
