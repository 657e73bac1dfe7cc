//! The contact step over the plants of a diagram: builds the contact problem at a state and steps with a solver of it.

mod accelerations;
mod bounds;
mod build;
mod capacity;
mod clearance;
mod closure;
mod constraints;
mod contact_rates;
mod continuous_form;
mod correct;
mod energy;
mod failures;
mod free_motion;
mod improve;
mod manifold;
mod modes;
mod movers;
mod options;
mod plan;
mod point;
mod positions;
mod record;
mod refine;
mod smooth;
mod solve;
mod spins;
mod step;
mod sweeps;
#[cfg(test)]
mod tests;
mod theta_step;
mod untouched;

pub use constraints::ConstraintImpulse;
pub(super) use continuous_form::ContinuousForm;
pub use correct::Correction;
pub use options::StepOptions;
pub use point::StepPoint;
pub use step::{ContactStep, IcfStep};
pub use theta_step::ThetaStep;
