//! Pools: the convex potentials of a problem, kind by kind, in contiguous memory.
//!
//! A kind is a file with its law (cost, impulse and Hessian as functions of its own velocity, generic over the scalar
//! so that tests check them by dual numbers) and a line in `kinds.rs`. Assembly, line search, methods and regimes go
//! through the trait [`Potential`]; contact alone has more to it, since the primal-dual method takes its impulses for
//! unknowns.

pub mod compliant_stop;
pub mod contact;
mod contact_dual;
pub(in crate::solvers) mod contact_hessian;
pub(in crate::solvers) mod contact_line;
pub mod contact_pool;
pub(in crate::solvers) mod contact_values;
pub mod effort;
pub mod joint_friction;
mod kinds;
pub mod limit;
mod potential;
pub mod row;
mod velocity_pool;

pub use compliant_stop::CompliantStopLaw;
pub use contact::ContactLaw;
pub(in crate::solvers) use contact::halve_from_end;
pub use contact_pool::ContactPool;
pub(in crate::solvers) use contact_values::{ContactValues, couple_patches, points, subtract_impulses};
pub use effort::EffortLaw;
pub use joint_friction::JointFrictionLaw;
pub(in crate::solvers) use kinds::Pools;
pub use limit::LimitLaw;
pub(in crate::solvers) use potential::{Couple, HessianBlocks, Note, Potential};
pub use row::{RowLaw, RowPool};
pub use velocity_pool::{VelocityLaw, VelocityPool};
