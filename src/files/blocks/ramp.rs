//! `type: ramp`.

use crate::form::{
    BlockType, Group, NUMBER, Needs, Number, Optional, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault,
    needs, optional, recipe, with_default,
};
use kinegraph_systems::sources::Ramp;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "ramp",
    group: Group::Sources,
    about: "numbers that rise at a constant rate from a start, to a stop",
    example: "speed: {type: ramp, slope: 2, start: 0.5, stop: 1.5}",
    files: &[],
    read,
};

const SLOPE: Needs<ScalarOrList> = needs("slope", ScalarOrList(NUMBER), "rate [1/s]");
const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "value at the start [any]");
const START: WithDefault<Number> = with_default("start", NUMBER, 0.0, "when it begins to move [s]");
const STOP: Optional<Number> = optional("stop", NUMBER, "never", "when it stops [s]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let slope = r.get(&SLOPE);
    let initial = r.get(&INITIAL);
    let (start, stop) = (r.get(&START), r.get(&STOP));
    let width = r.width();
    r.output_is(SLOPE, 1);
    r.output_is(INITIAL, 0);
    let slope = slope?;
    recipe(move || Ramp::new(width, slope.clone(), initial.clone(), start, stop))
}
