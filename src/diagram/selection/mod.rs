//! Wires from or to some numbers of a port: `controller.effort[2] -> motor.voltage`,
//! `plant.arm.shoulder -> pid.measured`, `a.output -> sum.input0[0:3]`.
//!
//! Such an input gets a block of its own before it, a [`Selection`], which assembles the numbers. Its name is that of
//! the input, with `-` for each point: `pid-measured`.

mod block;
mod expand;
mod places;
mod syntax;

pub use block::Selection;
pub(super) use expand::{Expanded, WrittenWires, expand};
pub use places::{Places, entries, find_input, find_output, joints, missing};
pub use syntax::{Part, split, split_path};
