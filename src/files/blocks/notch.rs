//! `type: notch`.

use crate::form::{
    BlockType, Group, NON_NEGATIVE, Needs, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, needs,
    recipe, with_default,
};
use kinegraph_systems::dynamics::Notch;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "notch",
    group: Group::Dynamics,
    about: "takes one frequency out of a signal",
    example: "calm: {type: notch, frequency: 40, damping_ratio: 0.2}",
    files: &[],
    read,
};

const FREQUENCY: Needs<ScalarOrList> =
    needs("frequency", ScalarOrList(POSITIVE), "ω of (s² + 2 depth ζ ω s + ω²)/(s² + 2 ζ ω s + ω²) [rad/s]");
const DAMPING_RATIO: WithDefault<ScalarOrList> =
    with_default("damping_ratio", ScalarOrList(POSITIVE), PerChannel::All(0.5), "ζ: the notch is 2 ζ ω wide");
const DEPTH: WithDefault<ScalarOrList> =
    with_default("depth", ScalarOrList(NON_NEGATIVE), PerChannel::All(0.0), "gain at the frequency itself");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let frequency = r.get(&FREQUENCY);
    let (damping_ratio, depth) = (r.get(&DAMPING_RATIO), r.get(&DEPTH));
    let width = r.width();
    let frequency = frequency?;
    recipe(move || Notch::new(width, frequency.clone(), damping_ratio.clone(), depth.clone()))
}
