//! `type: comparator`.

use crate::form::{
    BlockType, Group, NON_NEGATIVE, NUMBER, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, recipe,
    with_default,
};
use kinegraph_systems::operators::Comparator;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "comparator",
    group: Group::Operators,
    about: "1 while a signal is above another one or a threshold, otherwise 0",
    example: "warm: {type: comparator, threshold: 0.5, hysteresis: 0.1}",
    files: &[],
    read,
};

const THRESHOLD: WithDefault<ScalarOrList> = with_default(
    "threshold",
    ScalarOrList(NUMBER),
    PerChannel::All(0.0),
    "the output is 1 while `input` less `reference` is above it [any]",
);
const HYSTERESIS: WithDefault<ScalarOrList> = with_default(
    "hysteresis",
    ScalarOrList(NON_NEGATIVE),
    PerChannel::All(0.0),
    "distance of the level at which it rises from that at which it falls, the threshold between them [any]",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (threshold, hysteresis) = (r.get(&THRESHOLD), r.get(&HYSTERESIS));
    let width = r.width();
    recipe(move || Comparator::new(width, threshold.clone(), hysteresis.clone()))
}
