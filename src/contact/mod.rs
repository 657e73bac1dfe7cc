//! The contact problem of one step: what is fixed while it is solved.
//!
//! A numerical library over cliques (blocks of the mass matrix), bodies (Jacobians of cliques), contact points, joint
//! stops, bilateral rows and external feedback; it knows no plant. [`Problem`] is filled once per state; what does not
//! depend on the step length is kept when that changes.

mod contact_forces;
mod feedback;
mod forces;
mod islands;
mod mobility;
mod problem;
mod rows;
mod wrench;

pub use contact_forces::ContactForces;
pub use feedback::{FeedbackBlock, LimitedRow};
pub use forces::PairForce;
pub use islands::Island;
pub use problem::{Body, Clique, PairInput, Problem};
pub(crate) use problem::{Pair, Patch};
pub use rows::Rows;
pub(crate) use wrench::{Wrench, add_wrench};
