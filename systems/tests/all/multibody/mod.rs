//! Trees of bodies and the plant: published models, laws of dynamics, the contract of a block.

mod cartesian_controllers;
mod common;
mod far_pairs;
mod force_conformance;
mod inverse_dynamics_controller;
mod mjcf_oracles;
mod mjcf_sensors;
mod model_oracles;
mod plant_conformance;
mod spatial_tendons;
mod tree_assembly;
mod tree_properties;
