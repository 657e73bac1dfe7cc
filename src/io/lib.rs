//! Recordings, plots, comparisons and sweeps of runs, and the stream to the page.

pub mod compare;
pub mod fit;
pub mod gradient;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "record")]
pub mod record;
pub mod sweep;
mod template;
pub mod verify;
#[cfg(feature = "view")]
pub mod view;
