//! The convex step over the plants of a diagram: builds the ICF problem at a state and steps with it.

mod build;
mod clearance;
mod constraints;
mod contact_rates;
mod correct;
mod free_motion;
mod record;
mod refine;
#[cfg(test)]
mod same_minimum;
mod step;

pub use constraints::ConstraintImpulse;
pub use correct::Correction;
pub use step::{IcfOptions, IcfPoint, IcfStep};
