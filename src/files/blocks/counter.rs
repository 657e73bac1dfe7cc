//! `type: counter`.

use crate::form::{
    BlockType, Count, Group, NUMBER, Number, Optional, Reader, SystemSpec, WithDefault, optional, recipe, with_default,
};
use kinegraph_systems::dynamics::Counter;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "counter",
    group: Group::Sampled,
    about: "counts how often its input rises through a threshold",
    example: "strokes: {type: counter, threshold: 0.5}",
    files: &[],
    read,
};

const THRESHOLD: WithDefault<Number> =
    with_default("threshold", NUMBER, 0.0, "the input is counted when it rises through this [any]");
const MODULO: Optional<Count> =
    optional("modulo", Count { limit: u32::MAX as usize }, "none", "count at which it starts again from 0");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let threshold = r.get(&THRESHOLD);
    let modulo = r.get(&MODULO).map(|modulo| modulo as u32);
    recipe(move || Counter::new(threshold, modulo))
}
