//! The contact problem of one step: all data that are fixed while it is solved.
//!
//! A numerical library over cliques (blocks of the mass matrix), bodies (Jacobians of cliques), contact points, joint
//! stops, bilateral rows and external feedback; it knows no plant. [`Problem`] is filled once per state; data that do
//! not depend on the step length are kept when it changes.

mod body;
mod connections;
mod constraints;
mod contact_forces;
mod contact_gradients;
mod contacts;
mod continuous;
mod drop_redundant_rows;
#[doc(hidden)]
pub mod elements;
mod feedback;
mod forces;
mod friction_arms;
mod grain;
mod islands;
mod mobility;
mod normal_load;
mod onset;
mod problem;
mod recoverable_energy;
mod redundant_rows;
mod regime;
mod resistance;
mod restitution;
mod rows;
mod run_scales;
mod settings;
mod solution;
#[doc(hidden)]
pub mod spins;
mod step_terms;
mod stiffness;
mod support;
mod trees;
mod turning;
mod wrench;

pub use crate::choices::contact::NEAR_RATIO;
pub use crate::choices::joint_friction::STICTION_PART;
pub use crate::choices::joint_stops::{RETURN, SLOWEST_REBOUND};
pub use crate::choices::rigid::RIGID_PERIOD;
pub use crate::choices::run_scales::MAX_STEP;
pub use body::{Body, BodyExtent, BodyInertia};
pub use constraints::Constraints;
pub use contact_forces::ContactForces;
pub use contact_gradients::ContactGradients;
pub use contacts::{Contacts, Patch};
pub(crate) use elements::only_takes;
pub use elements::{
    CompliantStop, CompliantStopLaw, ContactLaw, ContactMaterial, ContactPiece, ContactRow, ContactStart, Element,
    ElementVisitor, Elements, ForceContext, Form, JointFriction, JointFrictionLaw, JointSpring, JointStops,
    JointStopsLaw, LawContext, LimitedEffort, LimitedEffortLaw, NearRigid, PlantElements, RIGID_RATE, Rebound, Report,
    RowCompliance, RowFriction, RowFrictionLaw, RowLaw, RowRangeLaw, Untaken, UntakenElement, VelocityLaw,
    VelocityStart, free_delassus, friction_coefficient, tangential_delassus, untaken_elements, visit,
};
pub use elements::{Resisting, RowGroup, RowName, RowOrigin};
pub use feedback::{FeedbackBlock, LimitedRow};
pub use islands::Island;
pub use onset::Lasting;
pub use problem::Problem;
pub use recoverable_energy::recoverable_energy;
pub use redundant_rows::RedundantSet;
pub use regime::Regime;
pub use restitution::restitution;
pub use rows::Rows;
pub use run_scales::RunScales;
pub use settings::ProblemSettings;
pub use solution::{ContactImpulse, Solution};
pub use spins::Spin;
pub use step_terms::StepTerms;
pub use trees::{Clique, Trees};
pub use wrench::{Wrench, add_wrench};
