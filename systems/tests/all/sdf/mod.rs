//! The SDFormat reader: poses, joints and inertias against another reader, defaults, refusals, arbitrary bytes.

mod faults;
mod friction;
mod mechanism;
mod sensors;
mod versions;
mod worlds;

use kinegraph_systems::models::{LoadOptions, Loaded, parse_sdf};

/// Reads a model with this content, which must be accepted.
fn load(inside: &str) -> Loaded {
    let text = format!("<sdf version='1.9'><model name='m'>{inside}</model></sdf>");
    parse_sdf(&text, "m.sdf", &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The messages of a model with this content, which must be refused.
fn refuse(inside: &str) -> Vec<String> {
    let text = format!("<sdf version='1.9'><model name='m'>{inside}</model></sdf>");
    let error = parse_sdf(&text, "m.sdf", &LoadOptions::default()).expect_err("must be refused");
    error.faults.iter().map(ToString::to_string).collect()
}

/// A link with mass.
fn link(name: &str, pose: &str) -> String {
    format!(
        "<link name='{name}'>{pose}<inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>\
         </inertial></link>"
    )
}
