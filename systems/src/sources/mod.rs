//! Blocks without inputs: they say what should happen when.

mod breaks;
mod chirp;
mod constant;
mod external_input;
mod noise;
mod philox;
mod piecewise_polynomial;
mod pulse;
mod ramp;
pub(crate) mod seed;
mod sine;
mod step;
mod trajectory;

pub use chirp::Chirp;
pub use constant::Constant;
pub use external_input::ExternalInput;
pub use noise::Noise;
pub(crate) use philox::normal;
pub use piecewise_polynomial::PiecewisePolynomial;
pub use pulse::Pulse;
pub use ramp::Ramp;
pub use seed::{derive_seed, derived_seed, is_seed};
pub use sine::Sine;
pub use step::Step;
pub use trajectory::Trajectory;
