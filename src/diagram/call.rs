//! Calls of blocks, and loops of them.

use std::ops::Range;

/// One call of a block's `outputs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Index of the block.
    pub block: usize,
    /// Which of its outputs this call computes.
    pub wanted: Vec<bool>,
}

/// Calls that need each other's results: an algebraic loop, closed by a Newton solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The calls of the loop, a run of [`Schedule::calls`]: once through them in order computes everything from the
    /// tears.
    pub calls: Range<usize>,
    /// The outputs (block, port) whose values are the unknowns of the solve.
    pub tears: Vec<(usize, usize)>,
}

/// A way to compute the outputs of one loop.
#[derive(Clone, Debug)]
pub(super) struct TornLoop {
    /// Calls that compute all outputs of the loop from the torn ones.
    pub calls: Vec<Call>,
    /// The torn outputs.
    pub tears: Vec<(usize, usize)>,
    /// The block of the loop that was inserted first.
    pub first_block: usize,
}
