//! Plots: common parts, channels over time, and frequency responses.

mod canvas;
mod read;
mod response;
mod root_locus;
mod series;
mod thinned;
#[doc(hidden)]
pub mod time_plot;

pub use canvas::{COLORS, Picture, PlotError, drawn};
pub use read::{ReadTable, TableError, read, read_table};
pub use response::{bode, nyquist, steps};
pub use root_locus::root_locus;
pub use series::{PlotSink, Series};
pub use time_plot::{TimePlot, draw, svg};
