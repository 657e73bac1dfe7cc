//! Parameters of a diagram file from recordings: those whose run is nearest to the data.
//!
//! Residuals are the differences between channels and columns at the times of the data. Their derivatives are those of
//! the run ([`Simulation::gradient`](kinegraph_engine::simulate::Simulation::gradient)), so that an iteration costs one
//! run with its runs beside. What the data leave open is named ([`Undetermined`]).

pub mod arm;
mod levenberg;
mod notes;
#[cfg(feature = "plot")]
mod page;
mod plan;
mod problem;
mod report;
mod residuals;
mod saved;
mod search;
mod statistics;

pub use kinegraph_files::fitted::{Fitted, Match, Noise, Scale, Unknown};
pub use kinegraph_files::recording::{Recording, RecordingError};
pub use kinegraph_scenario::FitAsked;
pub use levenberg::Stop;
#[cfg(feature = "plot")]
pub use page::page;
pub use plan::{Experiment, PlanAsked, PlanReport, PlannedNumber};
pub use problem::{Fit, FitError, in_full};
pub use report::{FitReport, FittedChannel, FittedNumber, FittedRecording, FittedSeries};
pub use saved::SavedFit;
pub use search::{Progress, Unwatched, Watch};
pub use statistics::Undetermined;
