//! The contact problem of one step: what is fixed while it is solved.
//!
//! A numerical library over cliques (blocks of the mass matrix), bodies (Jacobians of cliques), contact points, joint
//! stops, bilateral rows and external feedback; it knows no plant. [`Problem`] is filled once per state; what does not
//! depend on the step length is kept when that changes.

mod compliant_stop;
mod connections;
mod contact_forces;
mod contact_gradients;
mod continuous;
mod elements;
mod feedback;
mod forces;
mod islands;
mod joint_friction;
mod joint_stops;
mod limited_effort;
mod look_back;
mod mobility;
mod point_contact;
mod problem;
mod recoverable_energy;
mod regime;
mod restitution;
mod rows;
mod solution;
mod spins;
mod wrench;

pub use compliant_stop::CompliantStop;
pub use contact_forces::ContactForces;
pub(crate) use contact_gradients::ContactGradients;
pub use continuous::{RIGID_PERIOD, RIGID_RATE};
pub use elements::{Element, Elements};
pub use feedback::{FeedbackBlock, LimitedRow};
pub use forces::PairForce;
pub use islands::Island;
pub use joint_friction::{JointFriction, STICTION_VELOCITY};
pub use joint_stops::{JointStops, Rebound, SLOWEST_REBOUND};
pub use limited_effort::LimitedEffort;
pub(crate) use point_contact::{DYNAMIC, STATIC};
pub use point_contact::{PointContact, free_delassus, friction_coefficient, tangential_delassus};
pub use problem::{Body, BodyInertia, Clique, PairInput, Problem};
pub(crate) use problem::{Pair, Patch};
pub use recoverable_energy::recoverable_energy;
pub use regime::Regime;
pub use restitution::restitution;
pub(crate) use rows::RowGroup;
pub use rows::{RowCompliance, Rows};
pub use solution::{PairImpulse, Solution};
pub use spins::Spin;
pub(crate) use wrench::{Wrench, add_wrench};
