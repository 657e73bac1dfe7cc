//! `type: chirp`.

use crate::form::{
    BlockType, Group, NUMBER, Needs, Number, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, Vector,
    WithDefault, needs, recipe, with_default,
};
use kinegraph_systems::sources::Chirp;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "chirp",
    group: Group::Sources,
    about: "sine waves whose frequency (rad/s) goes linearly from one value to another",
    example: "sweep: {type: chirp, frequencies: [1, 100], duration: 10}",
    files: &[],
    read,
};

const AMPLITUDE: WithDefault<ScalarOrList> =
    with_default("amplitude", ScalarOrList(NUMBER), PerChannel::All(1.0), "amplitude [any]");
const FREQUENCIES: Needs<Vector<2>> = needs(
    "frequencies",
    Vector { about: "[first, last] in rad/s" },
    "the first and the last angular frequency [rad/s]",
);
const DURATION: Needs<Number> = needs("duration", POSITIVE, "time of the sweep [s]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let amplitude = r.get(&AMPLITUDE);
    let frequencies = r.get(&FREQUENCIES);
    let duration = r.get(&DURATION);
    let width = r.width();
    r.output_is(AMPLITUDE, 0);
    let (frequencies, duration) = (frequencies?, duration?);
    recipe(move || Chirp::new(width, amplitude.clone(), frequencies, duration))
}
