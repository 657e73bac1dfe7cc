//! Pictures of numbers.

mod time_plot;
