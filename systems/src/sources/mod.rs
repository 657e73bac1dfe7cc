//! Blocks without inputs: they say what should happen when.

mod constant;
mod trajectory;

pub use constant::Constant;
pub use trajectory::Trajectory;
