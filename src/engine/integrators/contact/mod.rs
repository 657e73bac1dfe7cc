//! The contact step over the plants of a diagram: builds the contact problem at a state and steps with a solver of it.

mod accelerations;
pub mod bounds;
mod build;
mod capacity;
mod clearance;
mod combine;
mod constraints;
mod contact_rates;
mod continuous_form;
mod deferred_contacts;
mod energy;
pub mod failures;
mod free_motion;
mod improve;
mod manifold;
mod movers;
mod options;
mod oscillation;
mod plan;
mod point;
mod rebound;
pub mod record;
pub mod refine;
#[doc(hidden)]
pub mod resolved;
mod scales;
mod smooth;
pub mod solve;
pub mod spins;
mod step;
#[doc(hidden)]
pub mod sweeps;
mod third;
mod turning;

pub use constraints::ConstraintImpulse;
pub(super) use continuous_form::ContinuousForm;
pub use options::StepOptions;
pub use point::StepPoint;
pub use step::{ContactStep, IcfStep};
