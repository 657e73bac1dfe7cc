//! Grippers that hold without fingers.

mod suction;

pub use suction::{Face, Suction};

// The list below is written by `.ci/lists`.
mod vacuum_gripper;

pub use vacuum_gripper::{Cup, SuctionLaw, Target, VacuumGripper, VacuumGripperError, VacuumGripperErrors};
// End of the list.
