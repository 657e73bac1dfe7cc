//! `type: step`.

use crate::form::{
    BlockType, Group, NUMBER, Needs, Number, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, needs, recipe,
    with_default,
};
use kinegraph_systems::sources::Step;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "step",
    group: Group::Sources,
    about: "numbers that jump once",
    example: "load: {type: step, time: 0.5, final: 10}",
    files: &[],
    read,
};

const TIME: Needs<Number> = needs("time", NUMBER, "when it jumps [s]");
const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "value before [any]");
const FINAL: Needs<ScalarOrList> = needs("final", ScalarOrList(NUMBER), "value from then on [any]").live();

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let time = r.get(&TIME);
    let (initial, last) = (r.get(&INITIAL), r.get(&FINAL));
    let width = r.width();
    r.output_is(FINAL, 0);
    r.output_is(INITIAL, 0);
    let (time, last) = (time?, last?);
    recipe(move || Step::new(width, time, initial.clone(), last.clone()))
}
