//! Blocks without inputs: constants and functions of time, noise, and inputs from outside.

#[doc(hidden)]
pub mod breaks;
mod s_curve;

pub use kinegraph_core::random::{derive_seed, derived_seed, is_seed};

// The list below is written by `.ci/lists`.
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

pub use chirp::Chirp;
pub use constant::Constant;
pub use external_input::ExternalInput;
pub use noise::Noise;
pub use operator_input::{OPERATED, OperatorInput};
pub use piecewise_polynomial::PiecewisePolynomial;
pub use playback::{Hold, Outside, Playback};
pub use pulse::Pulse;
pub use ramp::Ramp;
pub use sine::Sine;
pub use step::Step;
pub use trajectory::Trajectory;
pub use waypoints::{WaypointSettings, Waypoints};
// End of the list.
