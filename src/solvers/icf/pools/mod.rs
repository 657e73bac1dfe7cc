//! Constraint pools: for each kind of constraint its potential, impulse and Hessian, as functions of its own velocity.
//!
//! Every law states cost and impulse generically over the scalar, so that tests can check the impulse and the Hessian
//! against dual-number derivatives of the cost.

pub mod contact;
mod contact_dual;
pub mod effort;
pub mod limit;
pub mod row;

pub use contact::ContactLaw;
pub use effort::EffortLaw;
pub use limit::LimitLaw;
pub use row::{RowCompliance, RowLaw};
