//! `type: sine`.

use crate::form::{
    BlockType, Group, NUMBER, Needs, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, needs, recipe,
    with_default,
};
use kinegraph_systems::sources::Sine;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "sine",
    group: Group::Sources,
    about: "sine waves and their rates; frequency in rad/s",
    example: "wave: {type: sine, amplitude: 0.2, frequency: 6.28}",
    files: &[],
    read,
};

const AMPLITUDE: WithDefault<ScalarOrList> =
    with_default("amplitude", ScalarOrList(NUMBER), PerChannel::All(1.0), "amplitude [any]").live();
const FREQUENCY: Needs<ScalarOrList> = needs("frequency", ScalarOrList(NUMBER), "angular frequency [rad/s]").live();
const PHASE: WithDefault<ScalarOrList> =
    with_default("phase", ScalarOrList(NUMBER), PerChannel::All(0.0), "phase at time zero [rad]");
const OFFSET: WithDefault<ScalarOrList> =
    with_default("offset", ScalarOrList(NUMBER), PerChannel::All(0.0), "mean value [any]").live();

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let amplitude = r.get(&AMPLITUDE);
    let frequency = r.get(&FREQUENCY);
    let (phase, offset) = (r.get(&PHASE), r.get(&OFFSET));
    let width = r.width();
    r.output_is(AMPLITUDE, 0);
    r.output_is(OFFSET, 0);
    let frequency = frequency?;
    recipe(move || Sine::new(width, amplitude.clone(), frequency.clone(), phase.clone(), offset.clone()))
}
