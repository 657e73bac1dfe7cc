//! `type: constant`.

use crate::form::{BlockType, Group, NUMBER, Needs, PerChannel, Reader, ScalarOrList, SystemSpec, needs, recipe};
use kinegraph_systems::sources::Constant;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "constant",
    group: Group::Sources,
    about: "numbers that never change",
    example: "goal: {type: constant, value: [1, 0]}",
    files: &[],
    read,
};

const VALUE: Needs<ScalarOrList> = needs("value", ScalarOrList(NUMBER), "a number, or a list of numbers [any]").live();

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let value = r.get(&VALUE);
    r.output_is(VALUE, 0);
    let value = match value? {
        PerChannel::All(value) => vec![value],
        PerChannel::Each(values) => values,
    };
    recipe(move || Constant::new(value.clone()))
}
