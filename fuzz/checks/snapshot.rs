//! Whatever the bytes, a snapshot is read or refused, and what is read is restored or refused.

use super::DIAGRAM;
use kinegraph::files::load_str;
use kinegraph::simulate::{Scenario, Simulation, Snapshot};
use std::cell::RefCell;
use std::path::Path;

/// A simulation of the diagram.
pub fn simulation() -> Option<Simulation> {
    let loaded = load_str(Path::new("fuzz/none/diagram.yaml"), DIAGRAM, &[]).ok()?;
    Scenario::build(&loaded.diagram, &loaded.loader)?.simulation().ok()
}

thread_local! {
    static SIMULATION: RefCell<Option<Simulation>> = RefCell::new(simulation());
}

/// Reads the bytes in both forms, and goes on from what they say for a moment.
pub fn check(data: &[u8]) {
    let json = std::str::from_utf8(data).ok().and_then(|text| Snapshot::from_json(text).ok());
    let snapshots = Snapshot::from_bytes(data).ok().into_iter().chain(json);
    SIMULATION.with_borrow_mut(|simulation| {
        let Some(simulation) = simulation else { return };
        for snapshot in snapshots {
            let kept = Snapshot::from_bytes(&snapshot.to_bytes().expect("bytes")).expect("a snapshot");
            assert_eq!(kept, snapshot);
            if simulation.restore(&snapshot).is_ok() || simulation.restore_changed(&snapshot).is_ok() {
                assert!(simulation.time() >= 0.0);
                // It may fail: states of 1e308 leave what numbers are for.
                drop(simulation.advance_to(simulation.time() + 0.02));
            }
        }
    });
}
