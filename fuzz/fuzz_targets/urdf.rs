#![no_main]
//! Whatever the text, the reader answers: a model with notes, or faults.

use kinegraph_systems::models::{LoadOptions, MissingMeshes, parse_urdf_with};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let options = LoadOptions { missing_meshes: MissingMeshes::Ignore, ..LoadOptions::default() };
    if let Err(error) = parse_urdf_with(text, "fuzz/none/model.xml", &options) {
        assert!(!error.faults.is_empty());
    }
});
