//! Tests of linearizations, integrators and runs, in one program that is linked with the crate.

mod integrators;
mod linearize;
mod simulate;
mod state_space;
mod whole_file;
