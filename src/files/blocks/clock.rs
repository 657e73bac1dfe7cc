//! `type: clock`.

use super::sampled_sensor::sampled;
use crate::form::{BlockType, Group, NUMBER, Number, Reader, SystemSpec, WithDefault, recipe, with_default};
use kinegraph_systems::sensors::{Clock, ClockSettings};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "clock",
    group: Group::Sensors,
    about: "the time that a clock shows: read every period, drifting, late",
    example: "clock: {type: clock, period: 0.001, drift: 1.0e-5, start: 10, resolution: 1.0e-6, latency: 0.002}",
    files: &[],
    read,
};

const DRIFT: WithDefault<Number> =
    with_default("drift", NUMBER, 0.0, "by how much it goes faster, as a part of the time");
const START: WithDefault<Number> = with_default("start", NUMBER, 0.0, "what it shows at time zero [s]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (drift, start) = (r.get(&DRIFT), r.get(&START));
    let sampled = sampled(r)?;
    recipe(move || Clock::new(ClockSettings { sampled: sampled.clone(), drift, start }))
}
