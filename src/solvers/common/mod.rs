//! What solvers share: none takes it from another.
//!
//! * [`pools`]: potentials of a convex problem, kind by kind; [`assemble`], [`hessian`], [`island_factor`],
//!   [`unsymmetric`], [`line`]: gradient, Hessian, factor and lines of what they add up to.
//! * [`shares`]: which islands are solved at the same time.
//! * [`sweeps`]: rows of an island for methods that solve one after the other, on [`inertia_groups`].

pub(super) mod assemble;
pub(super) mod hessian;
pub(super) mod inertia_groups;
pub(super) mod island_factor;
pub(super) mod line;
pub mod pools;
pub(super) mod shares;
pub(super) mod sweeps;
pub(super) mod unsymmetric;
