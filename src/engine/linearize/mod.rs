//! Linearization of the external system: its reaction to the motion of the plants.
//!
//! Everything in a diagram that is not a plant is, to a convex integrator, one function: from the plants' state, the
//! time and the external state z to the generalized forces on the plants and to ż. [`External`] evaluates it,
//! [`Linearization`] is its derivative at one state by dual numbers, independent of any step length, and [`law`] turns
//! both into the linear law of one step: a force that reacts to the velocity within the step, which makes stiff
//! controllers implicit.
//!
//! [`state_space`] linearizes the diagram as a whole, plants included: A, B, C, D at an operating point, poles, and
//! equilibria.

#[doc(hidden)]
pub mod coloring;
mod coupling;
pub mod effort_limits;
mod external;
#[doc(hidden)]
pub mod external_plan;
mod feedback;
#[doc(hidden)]
pub mod gate;
mod group_matrix;
#[doc(hidden)]
pub mod groups;
pub mod growth;
mod jacobian;
pub mod law;
pub mod layout;
mod loop_rate;
#[doc(hidden)]
pub mod sparse_power;
#[doc(hidden)]
pub mod stabilizing;
pub use crate::state_space::{
    self, BlockFault, Equilibrium, LinearModel, LinearizeFault, LinearizePorts, Linearizer, TrimFault, TrimOptions,
};
pub use external::{External, Forces};
pub use feedback::Feedback;
pub use group_matrix::GroupMatrix;
pub use groups::Sparsity;
pub use growth::{BlockGrowth, GrowthRate};
pub use jacobian::{ForceJacobian, Linearization};
pub use law::{Law, LawSpan, LawStep, TooLong};
pub use layout::{Layout, PlantSlot};
pub use loop_rate::LoopRate;
