//! The convex ICF problem (Irrotational Contact Fields) and its solver.
//!
//! One step of length `dt` from (q0, v0) finds the velocity v that minimizes
//!
//! ```text
//! l(v) = 1/2 v'A v - r'v + sum of constraint potentials,   A = M + dt D + dt P,   r = A v0 + dt (tau - k)
//! ```
//!
//! with the mass matrix M, joint damping D, bias k, external feedback tau - P (v - v0), and one convex potential per
//! contact, joint limit, limited effort and bilateral constraint \[Kurtz & Castro, CENIC, eq. 12-16\]. This module is a
//! numerical library over cliques (blocks of M), bodies (Jacobians of cliques) and constraint pools; it knows no plant.
//!
//! Feedback that is not symmetric has no cost; the step is then the root of the same gradient, with P not symmetric,
//! and efforts are clamped row by row.
//!
//! * [`Solver`]: Newton with line search, or a primal-dual Newton method, one island (connected component) at a time.

mod certificate;
mod contact_solver;
#[doc(hidden)]
pub mod inertia;
mod line_search;
mod monotone;
mod monotone_memory;
mod newton;
mod pair_iterate;
pub mod pools;
#[doc(hidden)]
pub mod primal_dual;
mod primal_dual_memory;
mod regimes;
mod rounding;
mod solver;
mod subproblem;
mod workers;

pub use crate::contact::NearRigid;
pub use solver::{Method, Solver, SolverOptions, ToleranceScale};
