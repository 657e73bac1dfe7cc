//! Solvers of the contact problem, each a folder.
//!
//! A solver turns the problem of a step, which knows no laws, into velocities and impulses ([`ContactSolver`]).

pub mod common;
mod contact_solver;
pub mod icf;
pub mod report;

pub use contact_solver::{CloneSolver, ContactSolver};
pub use report::{SolveFailure, SolveFault, SolveReport};
