//! `type: second_order`.

use crate::form::{
    BlockType, Group, NON_NEGATIVE, NUMBER, Needs, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault,
    needs, recipe, with_default,
};
use kinegraph_systems::dynamics::SecondOrder;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "second_order",
    group: Group::Dynamics,
    about: "a damped oscillator per signal that follows its input",
    example: "actuator: {type: second_order, natural_frequency: 60, damping_ratio: 0.7}",
    files: &[],
    read,
};

const NATURAL_FREQUENCY: Needs<ScalarOrList> =
    needs("natural_frequency", ScalarOrList(POSITIVE), "ω of ẍ + 2 ζ ω ẋ + ω² x = gain ω² u [rad/s]");
const DAMPING_RATIO: WithDefault<ScalarOrList> =
    with_default("damping_ratio", ScalarOrList(NON_NEGATIVE), PerChannel::All(1.0), "ζ");
const GAIN: WithDefault<ScalarOrList> =
    with_default("gain", ScalarOrList(NUMBER), PerChannel::All(1.0), "gain of slow signals [any]");
const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "position at the start, at rest [any]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let frequency = r.get(&NATURAL_FREQUENCY);
    let (damping, gain, initial) = (r.get(&DAMPING_RATIO), r.get(&GAIN), r.get(&INITIAL));
    let width = r.width();
    let frequency = frequency?;
    recipe(move || SecondOrder::new(width, frequency.clone(), damping.clone(), gain.clone(), initial.clone()))
}
