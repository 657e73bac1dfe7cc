//! `type: zero_order_hold`.

use super::sampling::sampling;
use crate::form::{
    BlockType, Group, NUMBER, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, recipe, with_default,
};
use kinegraph_systems::dynamics::ZeroOrderHold;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "zero_order_hold",
    group: Group::Sampled,
    about: "samples its input and holds it",
    example: "sampler: {type: zero_order_hold, period: 0.01}",
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
    recipe(move || ZeroOrderHold::new(width, sampling, initial.clone()))
}
