//! Units that a diagram states of its blocks, and those of all its outputs.

use kinegraph_core::unit::Dimension;

/// Units of a block that a diagram states, besides the block's own rules.
#[derive(Clone, Debug, PartialEq)]
pub enum StatedUnits {
    /// The outputs carry any unit, and the inputs take any.
    Any,
    /// The numbers of the first output have these units: one for all or one each.
    Outputs(Vec<Option<Dimension>>),
}

/// Unit of each output number of a diagram, in the order of the arena; `None`: any.
pub(super) type OutputUnits = Vec<Option<Dimension>>;
