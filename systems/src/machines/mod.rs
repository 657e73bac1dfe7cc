//! Machines: what drives joints, and what stands around robots.

mod conveyor_belt;
mod dc_motor;

pub use conveyor_belt::ConveyorBelt;
pub use dc_motor::{DcMotor, DcMotorSettings};
