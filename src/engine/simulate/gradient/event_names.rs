//! Names of events whose times can be differentiated.

use crate::simulate::event_table::EventTable;
use kinegraph_diagram::Diagram;

/// Names of the events of the blocks of a diagram, `block: witness`; those of plants (touches, stops) show in a run.
pub fn event_names(diagram: &Diagram) -> Vec<String> {
    let table = EventTable::new(diagram);
    (0..table.witnesses.len()).map(|witness| table.name(witness)).collect()
}
