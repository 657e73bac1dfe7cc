//! The URDF reader: good files, values, refusals, and arbitrary bytes.

mod elements;
mod faults;
mod files;
mod inertias;
mod meshes;
mod mutations;
mod notes;
mod values;
mod visuals;

use kinegraph_systems::models::{Loaded, parse_urdf};

/// Reads text that must be accepted.
fn load(text: &str) -> Loaded {
    parse_urdf(text, "robot.urdf").unwrap_or_else(|error| panic!("{error}"))
}

/// The messages of a text that must be refused.
fn refuse(text: &str) -> Vec<String> {
    let error = parse_urdf(text, "robot.urdf").expect_err("must be refused");
    error.faults.iter().map(ToString::to_string).collect()
}
