//! `type: transport_delay`.

use crate::form::{
    BlockType, Group, NUMBER, Needs, Number, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault,
    needs, recipe, with_default,
};
use crate::node::show_number;
use kinegraph_systems::dynamics::TransportDelay;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "transport_delay",
    group: Group::Dynamics,
    about: "its input some time ago, from samples of it",
    example: "pipe: {type: transport_delay, delay: 0.2, period: 0.01}",
    files: &[],
    read,
};

const DELAY: Needs<Number> = needs("delay", POSITIVE, "how long ago [s]");
const PERIOD: Needs<Number> = needs("period", POSITIVE, "time between the samples that it keeps [s]");
const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "input before the start [any]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (delay, period) = (r.get(&DELAY), r.get(&PERIOD));
    let initial = r.get(&INITIAL);
    let width = r.width();
    let (delay, period) = (delay?, period?);
    if period > delay {
        let message = format!("{} s is longer than the delay of {} s", show_number(period), show_number(delay));
        r.conflict(PERIOD, message);
    }
    recipe(move || TransportDelay::new(width, delay, period, initial.clone()))
}
