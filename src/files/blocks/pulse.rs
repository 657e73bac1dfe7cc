//! `type: pulse`.

use crate::form::{
    BlockType, FRACTION, Group, NUMBER, Needs, Number, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec,
    WithDefault, needs, recipe, with_default,
};
use kinegraph_systems::sources::Pulse;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "pulse",
    group: Group::Sources,
    about: "a square wave between zero and an amplitude",
    example: "clock: {type: pulse, period: 0.1, width_fraction: 0.2}",
    files: &[],
    read,
};

const AMPLITUDE: WithDefault<ScalarOrList> =
    with_default("amplitude", ScalarOrList(NUMBER), PerChannel::All(1.0), "value during a pulse [any]").live();
const PERIOD: Needs<Number> = needs("period", POSITIVE, "time between two pulses [s]");
const WIDTH_FRACTION: WithDefault<Number> =
    with_default("width_fraction", FRACTION, 0.5, "part of the period that a pulse takes");
const DELAY: WithDefault<Number> = with_default("delay", NUMBER, 0.0, "time of the first pulse [s]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let amplitude = r.get(&AMPLITUDE);
    let period = r.get(&PERIOD);
    let (fraction, delay) = (r.get(&WIDTH_FRACTION), r.get(&DELAY));
    let width = r.width();
    r.output_is(AMPLITUDE, 0);
    let period = period?;
    recipe(move || Pulse::new(width, amplitude.clone(), period, fraction, delay))
}
