//! Machines.

// The list below is written by `.ci/lists`.
mod conveyor_belt;
mod dc_motor;
// End of the list.
