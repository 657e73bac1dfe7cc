//! Whatever follows `--set`, the diagram is read with it, or refused with what is wrong.

use super::DIAGRAM;
use kinegraph::files::{Override, load_str};
use kinegraph::simulate::Scenario;
use std::path::Path;

/// Reads and builds the diagram with this value.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Override::set(text) {
        Ok(one) => match load_str(Path::new("fuzz/none/diagram.yaml"), DIAGRAM, &[one]) {
            Ok(loaded) => drop(Scenario::build(&loaded.diagram, &loaded.loader)),
            Err(error) => assert!(!error.faults.0.is_empty()),
        },
        Err(message) => assert!(!message.is_empty()),
    }
}
