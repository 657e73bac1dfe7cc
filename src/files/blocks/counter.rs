//! `type: counter`.

use crate::files::decode::{Count, NUMBER};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::dynamics::Counter;

/// The registry entry.
pub const TYPE: BlockType =
    BlockType { name: "counter", about: "counts how often its input rises through a threshold", read };

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let threshold = r.or("threshold", NUMBER, 0.0);
    let modulo = r.optional("modulo", Count { limit: u32::MAX as usize }).map(|modulo| modulo as u32);
    recipe(&TYPE, move || Counter::new(threshold, modulo))
}
