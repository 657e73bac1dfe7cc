//! `type: relay`.

use crate::form::{
    BlockType, Choice, Group, NUMBER, Needs, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, needs, recipe,
    with_default,
};
use kinegraph_systems::operators::{Relay, RelayParameters};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "relay",
    group: Group::Operators,
    about: "switches between two values with hysteresis",
    example: "heater: {type: relay, rise_at: 0.5, fall_at: -0.5, high: 100}",
    files: &[],
    read,
};

const RISE_AT: Needs<ScalarOrList> = needs("rise_at", ScalarOrList(NUMBER), "input at which it goes to `high` [any]");
const FALL_AT: Needs<ScalarOrList> = needs("fall_at", ScalarOrList(NUMBER), "input at which it goes to `low` [any]");
const HIGH: WithDefault<ScalarOrList> =
    with_default("high", ScalarOrList(NUMBER), PerChannel::All(1.0), "output in the high mode [any]").live();
const LOW: WithDefault<ScalarOrList> =
    with_default("low", ScalarOrList(NUMBER), PerChannel::All(0.0), "output in the low mode [any]").live();
const STARTS: WithDefault<Choice<bool>> = with_default(
    "starts",
    Choice { what: "mode", options: &[("high", true), ("low", false)] },
    false,
    "mode at the start, `high` or `low`",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (rise_at, fall_at) = (r.get(&RISE_AT), r.get(&FALL_AT));
    let (high, low) = (r.get(&HIGH), r.get(&LOW));
    let starts_high = r.get(&STARTS);
    let width = r.width();
    let parameters = RelayParameters { rise_at: rise_at?, fall_at: fall_at?, high, low, starts_high };
    recipe(move || Relay::new(width, parameters.clone()))
}
