//! `type: quantizer`.

use crate::form::{BlockType, Group, Needs, POSITIVE, Reader, ScalarOrList, SystemSpec, needs, recipe};
use kinegraph_systems::operators::Quantizer;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "quantizer",
    group: Group::Operators,
    about: "rounds each input to a multiple of an interval",
    example: "encoder: {type: quantizer, interval: 0.001}",
    files: &[],
    read,
};

const INTERVAL: Needs<ScalarOrList> = needs("interval", ScalarOrList(POSITIVE), "distance of two levels [any]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let interval = r.get(&INTERVAL);
    let width = r.width();
    let interval = interval?;
    recipe(move || Quantizer::new(width, interval.clone()))
}
