//! Blocks with a memory.

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
mod network_nonlinear;
mod notch;
mod rate_transition;
mod response;
mod second_order;
mod state_space;
mod thermal;
mod timer;
mod transfer_function;
mod transport_delay;
mod unit_delay;
mod variable_delay;
mod zero_order_hold;
// End of the list.
