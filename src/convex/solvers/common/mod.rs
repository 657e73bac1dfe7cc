//! Common parts of solvers: no solver takes them from another.
//!
//! * [`pools`]: potentials of a convex problem, kind by kind; [`assemble`], [`hessian`], [`island_factor`],
//!   [`unsymmetric`], [`line`]: gradient, Hessian, factor and lines of their sum.
//! * [`shares`]: islands that are solved at the same time.

pub mod assemble;
pub mod hessian;
pub mod island_factor;
pub mod line;
pub mod pools;
pub mod shares;
pub mod unsymmetric;
