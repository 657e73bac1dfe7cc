//! Common parts of implicit methods for differential equations: the Jacobian of the right-hand side, the factors of `I
//! - s J`, and the iteration that solves for a stage.

#[doc(hidden)]
pub mod block_matrix;
mod displacements;
#[doc(hidden)]
pub mod grouping;
mod jacobian;
mod newton;

pub(super) use jacobian::{CHANGE, Jacobian};
pub(super) use newton::{Newton, Stage};
