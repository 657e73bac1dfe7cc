//! What implicit methods for differential equations share: the Jacobian of the right-hand side, the factors of
//! `I - s J`, and the iteration that solves for a stage.

mod block_matrix;
mod displacements;
mod grouping;
mod jacobian;
mod newton;

pub(super) use jacobian::{CHANGE, Jacobian};
pub(super) use newton::{Newton, Stage};
