//! `type: demultiplexer`.

use crate::form::{BlockType, Count, Group, ListOf, MAX_WIDTH, Needs, Reader, SystemSpec, needs, recipe};
use kinegraph_systems::operators::Demultiplexer;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "demultiplexer",
    group: Group::Operators,
    about: "splits a vector into several",
    example: "split: {type: demultiplexer, widths: [2, 1]}",
    files: &[],
    read,
};

const WIDTHS: Needs<ListOf<Count>> = needs(
    "widths",
    ListOf { each: Count { limit: MAX_WIDTH }, about: "a list with the width of each part" },
    "of the outputs",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let widths = r.get(&WIDTHS)?;
    recipe(move || Demultiplexer::new(&widths))
}
