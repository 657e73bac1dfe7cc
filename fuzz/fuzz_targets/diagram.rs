#![no_main]
//! Whatever the text, reading a diagram file answers: a description, or faults.

use kinegraph::files::load_str;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|text: &str| {
    if let Err(error) = load_str(Path::new("fuzz/none/diagram.yaml"), text, &[]) {
        assert!(!error.faults.0.is_empty());
    }
});
