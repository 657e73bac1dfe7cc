//! `type: multiplexer`.

use crate::form::{BlockType, Count, Group, ListOf, MAX_WIDTH, Needs, Reader, SystemSpec, needs, recipe};
use kinegraph_systems::operators::Multiplexer;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "multiplexer",
    group: Group::Operators,
    about: "joins inputs into one vector",
    example: "join: {type: multiplexer, widths: [2, 1]}",
    files: &[],
    read,
};

const WIDTHS: Needs<ListOf<Count>> = needs(
    "widths",
    ListOf { each: Count { limit: MAX_WIDTH }, about: "a list with the width of each part" },
    "of the inputs",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let widths = r.get(&WIDTHS)?;
    recipe(move || Multiplexer::new(&widths))
}
