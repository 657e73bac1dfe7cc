//! The engine: derivatives of the forces on plants, integrators, simulations.

pub mod choices;
pub mod input_file;
pub mod integrators;
pub mod io_reason;
pub mod linearize;
pub mod measures;
pub mod scene;
pub mod simulate;
pub mod state_space;
pub mod whole_file;
