//! `type: soft_sign`.

use crate::form::{BlockType, Group, Needs, Number, POSITIVE, Reader, SystemSpec, WIDTH, needs, recipe};
use kinegraph_systems::operators::SoftSign;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "soft_sign",
    group: Group::Operators,
    about: "the sign of each input, smooth near zero",
    example: "rubbing: {type: soft_sign, scale: 0.01, width: 2}",
    files: &[],
    read,
};

const SCALE: Needs<Number> = needs("scale", POSITIVE, "where the output is 0.71 [that of the input]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (scale, width) = (r.get(&SCALE), r.get(&WIDTH));
    let scale = scale?;
    recipe(move || SoftSign::new(width, scale))
}
