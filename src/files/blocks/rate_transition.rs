//! `type: rate_transition`.

use crate::form::{
    BlockType, Choice, Group, NUMBER, Needs, Number, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec,
    WithDefault, needs, recipe, with_default,
};
use kinegraph_systems::dynamics::{RateTransition, Transfer};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "rate_transition",
    group: Group::Sampled,
    about: "hands a signal over between parts that are sampled at different rates",
    example: "handover: {type: rate_transition, from: 0.001, to: 0.01, transfer: hold}",
    files: &[],
    read,
};

const FROM: Needs<Number> = needs("from", POSITIVE, "period of the part that writes [s]");
const TO: Needs<Number> = needs("to", POSITIVE, "period of the part that reads [s]");
const TRANSFER: WithDefault<Choice<Transfer>> = with_default(
    "transfer",
    Choice { what: "transfer", options: &[("hold", Transfer::Hold), ("delay", Transfer::Delay)] },
    Transfer::Hold,
    "at each longer period: `hold`: the value just before; `delay`: that of one longer period before",
);
const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "output before the first sample [any]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (from, to) = (r.get(&FROM), r.get(&TO));
    let (transfer, initial) = (r.get(&TRANSFER), r.get(&INITIAL));
    let width = r.width();
    let rates = [from?, to?];
    recipe(move || RateTransition::new(width, rates, transfer, initial.clone()))
}
