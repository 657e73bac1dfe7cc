//! Many runs of one diagram file: each with other parameters, integrators, accuracies or random numbers, on all cores.
//!
//! A [`Sweep`] describes the variation; it enumerates [`Variation`]s, plain data that can be sent to other machines. A
//! [`Template`] is the file, read once. [`run_variation`] computes a [`SweepRow`] from a template and a variation, with
//! the same bits on every machine.
//!
//! ```
//! use kinegraph::sweep::{Axis, Sweep, Template, run_variation};
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
//! let template = Template::open("examples/double_pendulum/double_pendulum.yaml", &[("simulation.duration", "0.2")])?;
//! let sweep = Sweep {
//!     vary: vec![Axis::parse("systems.plant.gravity=[0,0,-9.81],[0,0,-1.62]")?],
//!     accuracies: vec![1e-2, 1e-3],
//!     measures: vec!["end(plant.pendulum.j1.q)".parse()?],
//!     ..Sweep::default()
//! };
//! let sweep = sweep.checked(&template)?;
//! for variation in sweep.variations() {
//!     let row = run_variation(&template, &variation, &sweep.measures);
//!     println!("{}: {} {:?}", row.variation.index, row.status, row.measures);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod distribution;
mod each;
mod fault;
#[doc(hidden)]
pub mod gauge;
#[cfg(feature = "record")]
mod keep;
#[cfg(feature = "record")]
mod results;
mod row;
mod run;
mod spec;
#[doc(hidden)]
pub mod values;

pub use crate::template::{Derivatives, Template, Variation};
pub use distribution::Distribution;
pub use each::{Jobs, run_each};
pub use fault::SweepError;
#[cfg(feature = "record")]
pub use keep::{keep_runs, kept_files};
pub use kinegraph_engine::measures::{Measure, MeasureError, MeasureKind};
#[cfg(feature = "record")]
pub use results::{Results, ResultsError, RowFormat, note_of, write_csv};
pub use row::{RowDerivatives, SweepRow, TableCell, columns};
pub use run::run_variation;
pub use spec::{Axis, SampledParameter, Sweep};
