//! Calls of blocks, and loops of them.

use std::ops::Range;

/// One call of a block's `outputs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Index of the block.
    pub block: usize,
    /// For each output of the block, true if this call computes it.
    pub wanted: Vec<bool>,
}

/// Calls that need each other's results: an algebraic loop, closed by a Newton solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Range of the loop's calls in [`Schedule::calls`]. Made once in order, they compute all outputs of the loop from
    /// the torn ones.
    pub calls: Range<usize>,
    /// Torn outputs (block, port), whose values are the unknowns of the solve.
    pub tears: Vec<(usize, usize)>,
}

/// Plan that computes the outputs of one loop.
#[derive(Clone, Debug)]
pub(super) struct TornLoop {
    /// Calls that compute all outputs of the loop from the torn ones.
    pub calls: Vec<Call>,
    /// The torn outputs.
    pub tears: Vec<(usize, usize)>,
    /// The block of the loop that was inserted first.
    pub first_block: usize,
}
