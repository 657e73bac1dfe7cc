//! Numbers that are computed from a signal over time: its largest value, its rise time, its integral.
//!
//! A [`Measure`] is what is asked, a [`Gauge`] computes it while the signal comes, sample by sample or step by step
//! ([`Piece`]).

mod gauge;
mod kept;
mod measure;
mod of;
mod piece;
mod search;

pub use gauge::Gauge;
pub use measure::{Measure, MeasureError, MeasureKind};
pub use of::Of;
pub use piece::Piece;
pub use search::{change, lowest};
