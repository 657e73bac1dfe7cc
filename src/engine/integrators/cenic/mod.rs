//! Steps under error control: a scheme attempts them, rules bound and judge them.
//!
//! [`step`] has the step on one screen; [`attempt`] and [`keep`] are step doubling, the scheme of `cenic`; [`rules`] is
//! the list of rules; `tuning.rs` beside this folder has every number that is a choice; [`free_motion`] takes steps
//! while nothing touches.

#[doc(hidden)]
pub mod attempt;
mod free_motion;
mod free_step;
mod keep;
mod loads;
mod prepared;
mod repeat;
#[doc(hidden)]
pub mod rules;
mod scheme;
mod step;
#[doc(hidden)]
pub mod thirds;

pub use prepared::Prepared;
pub use scheme::{Aim, Scheme};
pub use step::{Controlled, StepDoubling};
