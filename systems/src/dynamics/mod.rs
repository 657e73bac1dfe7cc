//! Blocks with a memory: integrators, linear systems, delays, sampled systems.
//!
//! **Sampled blocks** take their input at periodic events and hold their output between them. All events of one time
//! read the values just before it. So of two sampled blocks in a row with the same period, the second sees the value
//! that the first held up to then: the row delays by one more period. A chain without this delay is one
//! [`DiscreteStateSpace`].

mod kept_jumps;
pub(crate) mod limits;
mod linear;
mod section;
mod stribeck;

pub(crate) use linear::add_product;
pub use stribeck::Sliding;

// The list below is written by `.ci/lists`.
mod backlash;
mod butterworth;
mod counter;
mod discrete_derivative;
mod discrete_state_space;
mod discrete_transfer_function;
mod edge;
mod first_order_lag;
mod friction;
mod hysteresis;
mod integrator;
mod latch;
mod lead_lag;
mod lugre_friction;
mod moving_average;
mod network;
mod notch;
mod rate_transition;
mod second_order;
mod state_space;
mod thermal;
mod timer;
mod transfer_function;
mod transport_delay;
mod unit_delay;
mod variable_delay;
mod zero_order_hold;

pub use backlash::Backlash;
pub use butterworth::{Band, Butterworth};
pub use counter::Counter;
pub use discrete_derivative::DiscreteDerivative;
pub use discrete_state_space::DiscreteStateSpace;
pub use discrete_transfer_function::DiscreteTransferFunction;
pub use edge::Edge;
pub use first_order_lag::FirstOrderLag;
pub use friction::Friction;
pub use hysteresis::{Hysteresis, HysteresisSettings};
pub use integrator::{Integrator, IntegratorSettings, Restart};
pub use latch::{Dominant, Latch};
pub use lead_lag::LeadLag;
pub use lugre_friction::LugreFriction;
pub use moving_average::MovingAverage;
pub use network::{Domain, ElementLaw, GROUND, Network, NetworkElement, NetworkError, NetworkFault};
pub use notch::Notch;
pub use rate_transition::{RateTransition, Transfer};
pub use second_order::SecondOrder;
pub use state_space::StateSpace;
pub use thermal::Thermal;
pub use timer::Timer;
pub use transfer_function::TransferFunction;
pub use transport_delay::TransportDelay;
pub use unit_delay::UnitDelay;
pub use variable_delay::VariableDelay;
pub use zero_order_hold::ZeroOrderHold;
// End of the list.
