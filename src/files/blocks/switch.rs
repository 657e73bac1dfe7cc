//! `type: switch`.

use crate::form::{BlockType, Group, NUMBER, Number, Reader, SystemSpec, WIDTH, WithDefault, recipe, with_default};
use kinegraph_systems::operators::Switch;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "switch",
    group: Group::Operators,
    about: "passes one of two inputs, as a control is above a threshold or below",
    example: "choose: {type: switch, threshold: 0.5}",
    files: &[],
    read,
};

const THRESHOLD: WithDefault<Number> = with_default("threshold", NUMBER, 0.0, "of the input `control` [any]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (threshold, width) = (r.get(&THRESHOLD), r.get(&WIDTH));
    recipe(move || Switch::new(width, threshold))
}
