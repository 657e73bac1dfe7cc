//! SAP, the semi-analytic primal solver of compliant contact \[Castro, Permenter, Han 2022\].
//!
//! One step of length h from (q0, v0) has two stages:
//!
//! ```text
//! v* = v0 + A^-1 h (τ - k),   A = M + h D + h P                                free motion
//! v  = argmin 1/2 (v - v*)' A (v - v*) + Σ l_i(J_i v)                          contact, stops, limits, constraints
//! ```
//!
//! It shares everything with [`icf`](super::icf) but the laws of contact and of stops. The potential of a contact
//! couples normal force and friction ([`projection`]), so that friction is limited by the normal force at the end of
//! the step and bodies that stick do not slip. It dissipates by a relaxation time, not by Hunt and Crossley. Sliding
//! bodies are lifted by a gap of `(h + τ) μ |vt|`, an artifact of the convex cone.
//!
//! * [`projection`]: cost, impulse and Hessian of a contact point; [`regularization`]: its compliances;
//!   [`weights`]: the effective mass that these depend on; [`limit`]: joint stops.
//! * [`free_motion`]: stage one; [`newton`], [`line_search`]: stage two, one island at a time.
//! * [`options`]: options of the solver, including the precision; [`inertia`]: factors of A in either.

mod adjustments;
mod free_motion;
#[doc(hidden)]
pub mod inertia;
mod integrator;
mod limit;
mod line_search;
mod newton;
mod option_group;
mod options;
mod pool;
mod projection;
mod regularization;
mod solver;
#[doc(hidden)]
pub mod weights;

pub use integrator::{NEAR_RIGID, TYPE};
pub use limit::StopLaw;
pub use option_group::{Preset, SapOptions, WarmStart};
pub use options::{Digits, LineSearch, Precision, SolverOptions, WeightMode};
pub use pool::ConePool;
pub use projection::{ConeLaw, Region};
pub use solver::Sap;
