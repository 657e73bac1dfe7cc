//! Tests of recordings, plots, sweeps and the stream to the page by what stands in their crate.

mod plot;
mod record;
mod sweep;
mod view;
