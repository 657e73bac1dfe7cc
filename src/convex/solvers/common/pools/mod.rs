//! Pools: the convex potentials of a problem, kind by kind, in contiguous memory.
//!
//! Besides contact these are bilateral rows and every kind of element, which brings its law (`contact/elements/`).
//! Assembly, line search, methods and regimes go through the trait [`Potential`].

mod contact_hessian;
mod contact_values;
mod jacobian_products;
mod kinds;
mod point_jacobians;
mod potential;
mod row;
mod row_friction;
mod row_range;
mod velocity_pool;

pub use contact_values::{ContactValues, couple_patches, points, subtract_impulses};
pub use kinds::Pools;
pub use point_jacobians::{PointJacobian, PointJacobians};
pub use potential::{AlongLine, Couple, HessianBlocks, Note, Pieces, Potential};
pub use row::RowPool;
pub use velocity_pool::VelocityPool;
