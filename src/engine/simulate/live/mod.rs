//! Live runs: acts between two steps, and the journal by which they are run again.
//!
//! A [`Desk`] decides: a person at the page, or a journal. It is asked before every step. Its acts change the diagram
//! or the state, never a step itself, so that the same acts before the same steps give the same bits.

mod hand;
mod run;
mod session;

pub use run::{Desk, Hands, Moment, NamedBlocks, Turn, Workshop};
pub use session::ActError;
