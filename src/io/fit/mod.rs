//! Parameters of a diagram file from recordings: those whose run is nearest to the data.
//!
//! Residuals are the differences between channels and columns at the times of the data. Their derivatives are those of
//! the run ([`Simulation::gradient`](kinegraph_engine::simulate::Simulation::gradient)), so that an iteration costs one
//! run with its runs beside. What the data leave open is named ([`Undetermined`]).

mod data;
mod levenberg;
mod problem;
mod report;
mod statistics;

pub use data::{Match, Recording};
pub use levenberg::Stop;
pub use problem::{Fit, FitError, Fitted};
pub use report::{FitReport, FittedChannel, FittedNumber};
pub use statistics::Undetermined;
