//! Blocks without inputs: they say what should happen when.

mod breaks;
mod chirp;
mod constant;
mod noise;
mod philox;
mod piecewise_polynomial;
mod pulse;
mod ramp;
mod sine;
mod step;
mod trajectory;

pub use chirp::Chirp;
pub use constant::Constant;
pub use noise::Noise;
pub(crate) use philox::normal;
pub use piecewise_polynomial::PiecewisePolynomial;
pub use pulse::Pulse;
pub use ramp::Ramp;
pub use sine::Sine;
pub use step::Step;
pub use trajectory::Trajectory;
