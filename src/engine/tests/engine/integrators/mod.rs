//! Methods that advance a diagram, and what they are made of.

mod cenic;
mod contact;
mod dense;
mod error_norm;
mod implicit;
mod limit;
mod rule;
mod search;
mod solved;
mod step_control;
mod tuning;
