//! Grippers that hold without fingers.

// The list below is written by `.ci/lists`.
mod suction;
mod vacuum_gripper;
// End of the list.
