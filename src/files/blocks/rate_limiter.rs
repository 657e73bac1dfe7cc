//! `type: rate_limiter`.

use crate::form::{
    BlockType, Group, Key, NUMBER, Needs, Number, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault,
    needs, recipe, with_default,
};
use kinegraph_systems::operators::RateLimiter;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "rate_limiter",
    group: Group::Dynamics,
    about: "follows its input with a lag and a bounded rate",
    example: "gentle: {type: rate_limiter, rising: 1, falling: 2, time_constant: 0.01}",
    files: &[],
    read,
};

const RISING: Needs<ScalarOrList> = needs("rising", ScalarOrList(POSITIVE), "largest rate [1/s]").live();
const FALLING: Needs<ScalarOrList> = needs("falling", ScalarOrList(POSITIVE), "largest rate downwards [1/s]").live();
const TIME_CONSTANT: Needs<Number> = needs("time_constant", POSITIVE, "of the lag below these rates [s]");
const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "output at the start [any]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (rising, falling) = (r.get(&RISING), r.get(&FALLING));
    let time_constant = r.get(&TIME_CONSTANT);
    let initial = r.get(&INITIAL);
    let width = r.width();
    let (rising, falling, time_constant) = (rising?, falling?, time_constant?);
    recipe(move || {
        let initial = initial.clone().expand(INITIAL.key(), width)?;
        RateLimiter::new(initial, rising.clone(), falling.clone(), time_constant)
    })
}
