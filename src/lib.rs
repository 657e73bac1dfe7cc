//! Kinegraph: wire plants and controllers as typed blocks and simulate the whole diagram, contact included, to the
//! accuracy you ask for.

#[cfg(feature = "view")]
mod built_page;
#[cfg(feature = "cli")]
pub mod cli;
pub mod integrators;
pub mod prelude;
pub mod simulate;
pub mod solvers;

#[cfg(feature = "view")]
pub use built_page::built_page;
pub use kinegraph_convex::{contact, linear_algebra, profile};
pub use kinegraph_data as data;
pub use kinegraph_diagram as diagram;
pub use kinegraph_engine::{linearize, scene};
pub use kinegraph_files as files;
#[cfg(feature = "plot")]
pub use kinegraph_io::plot;
#[cfg(feature = "record")]
pub use kinegraph_io::record;
#[cfg(feature = "view")]
pub use kinegraph_io::view;
pub use kinegraph_io::{compare, fit, gradient, sweep, verify};
pub use kinegraph_methods as methods;
pub use kinegraph_scenario as scenario;
pub use kinegraph_systems as systems;

#[cfg(feature = "cli")]
use kinegraph_engine::{io_reason, whole_file};

/// Compiles and runs the programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// Compiles and runs the programs of the page on sweeps.
#[cfg(doctest)]
#[doc = include_str!("../docs/sweeps.md")]
mod sweeps {}
/// Compiles and runs the programs of the book.
#[cfg(doctest)]
#[doc = include_str!("../docs/compose-in-rust.md")]
mod compose_in_rust {}
#[cfg(doctest)]
#[doc = include_str!("../docs/from-drake.md")]
mod from_drake {}
