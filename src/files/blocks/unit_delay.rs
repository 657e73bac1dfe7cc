//! `type: unit_delay`.

use super::sampling::sampling;
use crate::form::{
    BlockType, Group, NUMBER, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, recipe, with_default,
};
use kinegraph_systems::dynamics::UnitDelay;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "unit_delay",
    group: Group::Sampled,
    about: "holds the sample of its input one period ago",
    example: "previous: {type: unit_delay, period: 0.01}",
    files: &[],
    read,
};

const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "output at the start [any]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let sampling = sampling(r);
    let initial = r.get(&INITIAL);
    let width = r.width();
    let sampling = sampling?;
    recipe(move || UnitDelay::new(width, sampling, initial.clone()))
}
