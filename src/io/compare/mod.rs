//! Comparison of integrators: the same diagram from the same state, by several methods, accuracies and steps, against a
//! reference.
//!
//! ```no_run
//! use kinegraph::compare::{Comparison, contenders};
//! use kinegraph::integrators::METHODS;
//! use kinegraph::scenario::Scenario;
//! use std::time::Duration;
//!
//! let scenario = Scenario::open("examples/double_pendulum/double_pendulum.yaml")?;
//! let all = contenders(&scenario.options, &METHODS, &[1e-2, 1e-4], &[1e-3]);
//! let comparison = Comparison::run(&scenario, &all, None, Duration::from_secs(10), 3, |_| ())?;
//! for row in &comparison.rows {
//!     println!("{}: {:?} in {} s", row.integrator, row.largest_error, row.wall_s);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod comparison;
mod contender;
mod fault;
mod reference;
mod row;
mod trajectory;
#[cfg(feature = "plot")]
mod work_precision;

pub use comparison::Comparison;
pub use contender::contenders;
pub use fault::CompareError;
#[cfg(feature = "record")]
pub use reference::read_reference;
pub use reference::{Origin, Reference};
pub use row::Row;
pub use trajectory::Trajectory;
#[cfg(feature = "plot")]
pub use work_precision::{Axis, draw};
