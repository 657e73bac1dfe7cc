//! Kinegraph: wire plants and controllers as typed blocks and simulate the whole diagram, contact included, to the
//! accuracy you ask for.
#![allow(non_snake_case)] // p_WB, V_WB: quantity and frames, as the field writes them

#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod contact;
pub mod diagram;
pub mod files;
mod input_file;
pub mod integrators;
mod io_reason;
pub mod linear_algebra;
pub mod linearize;
#[cfg(feature = "plot")]
pub mod plot;
pub mod prelude;
pub mod profile;
#[cfg(feature = "record")]
pub mod record;
pub mod scenario;
pub mod scene;
pub mod simulate;
pub mod solvers;
pub mod sweep;
#[cfg(feature = "view")]
pub mod view;
mod whole_file;

pub use kinegraph_systems as systems;

/// The programs of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// Those of the page on sweeps, too.
#[cfg(doctest)]
#[doc = include_str!("../docs/sweeps.md")]
mod sweeps {}
/// Those of the book too.
#[cfg(doctest)]
#[doc = include_str!("../docs/compose-in-rust.md")]
mod compose_in_rust {}
