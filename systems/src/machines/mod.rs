//! Machines: drives of joints, and machines around robots.

// The list below is written by `.ci/lists`.
mod conveyor_belt;
mod dc_motor;

pub use conveyor_belt::ConveyorBelt;
pub use dc_motor::{DcMotor, DcMotorSettings};
// End of the list.
