//! The contact step over the plants of a diagram: builds the contact problem at a state and steps with a solver of it.

mod accelerations;
pub(super) mod bounds;
mod build;
mod capacity;
mod clearance;
mod combine;
mod constraints;
mod contact_rates;
mod continuous_form;
mod deferred_contacts;
mod energy;
pub(super) mod failures;
mod free_motion;
mod improve;
mod manifold;
mod movers;
mod options;
mod oscillation;
mod plan;
mod point;
mod rebound;
mod record;
pub(super) mod refine;
mod resolved;
mod scales;
mod smooth;
pub(super) mod solve;
pub(super) mod spins;
mod step;
mod sweeps;
#[cfg(test)]
mod tests;
mod theta_step;
mod third;
mod turning;

pub use constraints::ConstraintImpulse;
pub(super) use continuous_form::ContinuousForm;
pub use options::StepOptions;
pub use point::StepPoint;
pub use step::{ContactStep, IcfStep};
pub use theta_step::ThetaStep;
