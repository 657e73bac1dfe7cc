//! Grippers that hold without fingers.

mod suction;

pub use suction::{Face, Suction, SuctionLaw};

// The list below is written by `.ci/lists`.
mod vacuum_gripper;

pub use vacuum_gripper::{Cup, Target, VacuumGripper, VacuumGripperError, VacuumGripperErrors};
// End of the list.
