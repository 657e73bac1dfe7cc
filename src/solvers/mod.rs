//! Solvers of the contact problem, each a folder.

pub mod icf;
