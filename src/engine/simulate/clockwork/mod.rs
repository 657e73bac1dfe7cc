//! The clockwork of a diagram in a run: what depends on the time alone is looked at ahead of the steps.
//!
//! [`ahead`] finds the instants at which a witness function of the clockwork crosses zero or a signal of it meets a
//! level at which a block bends or jumps; steps end there. [`resolution`] finds how long a step may be that follows
//! what the clockwork does to the state.

pub(super) mod ahead;
pub(super) mod resolution;
