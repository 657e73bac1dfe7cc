//! Blocks without inputs.

// The list below is written by `.ci/lists`.
mod breaks;
mod chirp;
mod constant;
mod external_input;
mod noise;
mod operator_input;
mod piecewise_polynomial;
mod playback;
mod pulse;
mod ramp;
mod sine;
mod step;
mod trajectory;
mod waypoints;
// End of the list.
