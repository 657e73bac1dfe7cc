//! Solvers of the contact problem, each a folder: that of the engine, and those of the methods beside it.

pub use kinegraph_convex::solvers::*;
pub use kinegraph_methods::{projected_gauss_seidel, sap, theta_gamma, volume};
