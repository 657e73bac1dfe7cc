//! Small mathematical blocks.

mod elementary;
mod quaternion_algebra;

pub use crate::dynamics::Integrator;
pub use elementary::{Binary, Elementary};

pub(crate) use expression::formulas;
pub(crate) use table::{hermite, natural_slopes};

// The list below is written by `.ci/lists`.
mod adder;
mod angle_difference;
mod binary_function;
mod comparator;
mod dead_zone;
mod demultiplexer;
mod expression;
mod function;
mod gain;
mod matrix_gain;
mod multiplexer;
mod multiport_switch;
mod product;
mod quantizer;
mod quaternion;
mod rate_limiter;
mod relay;
mod saturation;
mod switch;
mod table;

pub use adder::Adder;
pub use angle_difference::AngleDifference;
pub use binary_function::BinaryFunction;
pub use comparator::Comparator;
pub use dead_zone::DeadZone;
pub use demultiplexer::Demultiplexer;
pub use expression::{Condition, Expression, Formula, NameInFormula};
pub use function::Function;
pub use gain::Gain;
pub use matrix_gain::MatrixGain;
pub use multiplexer::Multiplexer;
pub use multiport_switch::MultiportSwitch;
pub use product::{Factor, Product};
pub use quantizer::Quantizer;
pub use quaternion::{Quaternion, QuaternionOperation};
pub use rate_limiter::RateLimiter;
pub use relay::{Relay, RelayParameters};
pub use saturation::Saturation;
pub use switch::Switch;
pub use table::{Beyond, Interpolation, Table};
// End of the list.
