//! Tests of recordings, plots, sweeps and the stream to the page.

mod plot;
mod record;
mod sweep;
mod view;
