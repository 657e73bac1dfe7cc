//! Solvers of the contact problem, each a folder.
//!
//! A solver turns the problem of a step, which knows no laws, into velocities and impulses ([`ContactSolver`]).

mod common;
#[cfg(test)]
mod conformance;
mod contact_solver;
pub mod icf;
pub mod projected_gauss_seidel;
mod report;
pub mod sap;
pub mod theta_gamma;
pub mod volume;

pub use contact_solver::ContactSolver;
pub use report::{SolveFailure, SolveFault, SolveReport};
