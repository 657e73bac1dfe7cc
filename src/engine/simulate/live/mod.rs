//! Runs that somebody has hands on: acts between two steps, and the journal by which they are run again.
//!
//! Whoever decides is a [`Desk`]: a person at the page, or a journal. It is asked before every step. What it does
//! changes the diagram or the state, never a step itself, so that the same acts before the same steps give the same
//! bits.

mod hand;
mod run;
mod session;

pub use run::{Desk, Hands, Moment, Turn, Workshop};
pub use session::ActError;
