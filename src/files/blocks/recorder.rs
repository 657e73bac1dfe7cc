//! `type: recorder`.

use crate::form::{BlockType, Group, ListOf, Name, Needs, Reader, SystemSpec, needs, recipe};
use kinegraph_systems::sinks::Recorder;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "recorder",
    group: Group::Structure,
    about: "gives the numbers of a signal channel names of their own",
    example: "log: {type: recorder, names: [height, speed]}",
    files: &[],
    read,
};

const NAMES: Needs<ListOf<Name>> = needs(
    "names",
    ListOf { each: Name, about: "a list of names, one per number of the signal" },
    "one per number of the signal; the channels are `BLOCK.NAME`",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let names = r.get(&NAMES)?;
    recipe(move || Recorder::new(names.clone()))
}
