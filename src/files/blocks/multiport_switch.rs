//! `type: multiport_switch`.

use crate::form::{BlockType, Count, Group, Needs, Reader, SystemSpec, WIDTH, needs, recipe};
use kinegraph_systems::operators::MultiportSwitch;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "multiport_switch",
    group: Group::Operators,
    about: "passes one of several inputs, by the number of it",
    example: "pick: {type: multiport_switch, inputs: 3}",
    files: &[],
    read,
};

const INPUTS: Needs<Count> = needs("inputs", Count { limit: 1000 }, "number of signals, at least 2");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (count, width) = (r.get(&INPUTS), r.get(&WIDTH));
    let count = count?;
    recipe(move || MultiportSwitch::new(count, width))
}
