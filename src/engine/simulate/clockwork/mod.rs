//! The clockwork of a diagram in a run: signals that depend on the time alone are evaluated ahead of the steps.
//!
//! [`ahead`] finds the instants at which a witness function of the clockwork crosses zero or a signal of it meets a
//! level at which a block has a kink or a jump; steps end there. [`resolution`] finds the longest step that follows the
//! effect of the clockwork on the state.

pub(super) mod ahead;
pub(super) mod resolution;
