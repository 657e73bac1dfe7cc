//! The contact step over the plants of a diagram: builds the contact problem at a state and steps with a solver of it.

mod accelerations;
mod bend;
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
mod forces_at;
mod free_motion;
pub(super) mod impact;
mod improve;
mod keep_third;
mod kept_energy;
mod kinks;
mod lasting;
mod manifold;
mod mean_forces;
mod movers;
mod options;
pub(super) mod parts;
pub(super) mod plan;
mod point;
mod prepare;
pub mod record;
pub mod refine;
mod refined_end;
#[doc(hidden)]
pub mod resolved;
mod scales;
mod smooth;
pub mod solve;
pub mod spins;
mod step;
mod step_freely;
pub(super) mod strikes;
#[doc(hidden)]
pub mod sweeps;
mod third;
mod turned_geometry;
mod turning;
mod unseen;
mod whole;
mod whole_reports;

use crate::linearize::External;
pub(super) use accelerations::Accelerations;
pub use constraints::ConstraintImpulse;
pub(super) use continuous_form::ContinuousForm;
pub(crate) use forces_at::ForcesAt;
use kinegraph_core::convex::Switches;
pub use options::StepOptions;
pub use point::StepPoint;
pub(super) use step::Prediction;
pub use step::{ContactStep, IcfStep, Scratch};

/// Evaluates the plants of a diagram at `continuous` and their constraints, while these switches hold, without contact.
pub(crate) fn problem_at(external: &External, switches: &[Switches], continuous: &[f64]) -> StepPoint {
    let mut point = StepPoint { switches: switches.to_vec(), ..StepPoint::default() };
    manifold::evaluate(&mut point, external.diagram(), external.layout(), continuous, false);
    point
}
