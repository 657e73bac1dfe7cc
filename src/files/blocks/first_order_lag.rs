//! `type: first_order_lag`.

use crate::form::{
    BlockType, Group, NUMBER, Needs, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, needs,
    recipe, with_default,
};
use kinegraph_systems::dynamics::FirstOrderLag;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "first_order_lag",
    group: Group::Dynamics,
    about: "a first-order low-pass per signal",
    example: "filter: {type: first_order_lag, time_constant: 0.05}",
    files: &[],
    read,
};

const TIME_CONSTANT: Needs<ScalarOrList> = needs("time_constant", ScalarOrList(POSITIVE), "T of T ẋ + x = gain u [s]");
const GAIN: WithDefault<ScalarOrList> =
    with_default("gain", ScalarOrList(NUMBER), PerChannel::All(1.0), "gain of slow signals [any]");
const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "output at the start [any]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let time_constant = r.get(&TIME_CONSTANT);
    let (gain, initial) = (r.get(&GAIN), r.get(&INITIAL));
    let width = r.width();
    let time_constant = time_constant?;
    recipe(move || FirstOrderLag::new(width, time_constant.clone(), gain.clone(), initial.clone()))
}
