//! Common part of solvers by sweeps: rows of an island with the data they act on, and the driver over islands, with
//! rounds until the set of efforts at their limits settles and sweeps until convergence.

mod constraints;
mod elements;
mod family;
mod island_rows;
mod islands;
mod row_impulse;
mod row_rules;
pub(crate) mod row_sweep;
mod rows;
mod ties;

pub use crate::choices::sweeps::CORRECTION;
pub use family::RIGID;
pub(crate) use island_rows::IslandRows;
pub(crate) use islands::{Stopping, Sweeps, scale, solve, solve_one};
pub(crate) use row_impulse::{IMMOVABLE, change};
pub(crate) use row_rules::RowRules;
pub(crate) use rows::{Owner, Part, Row, Rows, directions};
