//! Tests of recordings, plots, sweeps and the stream to the page by what stands in their crate.

#[cfg(feature = "plot")]
mod plot;
#[cfg(feature = "record")]
mod record;
mod sweep;
#[cfg(feature = "view")]
mod view;
