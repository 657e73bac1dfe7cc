//! The convex potentials of this solver: contact by a law of its own, all others as in other convex solvers.

mod contact_dual;
#[doc(hidden)]
pub mod contact_line;
pub mod contact_pool;

pub use crate::contact::ContactLaw;
pub use crate::solvers::common::pools::{RowPool, VelocityPool};
pub use contact_pool::ContactPool;

/// The potentials of a problem.
pub type Pools = crate::solvers::common::pools::Pools<ContactPool>;
