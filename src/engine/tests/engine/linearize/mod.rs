//! Derivatives of the forces on plants.

mod coloring;
mod gate;
mod growth;
mod sparse_power;
mod stabilizing;
