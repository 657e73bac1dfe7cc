//! `type: dead_zone`.

use crate::form::{BlockType, Group, NUMBER, Needs, Reader, ScalarOrList, SystemSpec, needs, recipe};
use kinegraph_systems::operators::DeadZone;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "dead_zone",
    group: Group::Operators,
    about: "zero between two bounds, the excess beyond",
    example: "stick: {type: dead_zone, lower: -0.1, upper: 0.1}",
    files: &[],
    read,
};

const LOWER: Needs<ScalarOrList> = needs("lower", ScalarOrList(NUMBER), "where the zone begins [any]").live();
const UPPER: Needs<ScalarOrList> = needs("upper", ScalarOrList(NUMBER), "where it ends [any]").live();

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (lower, upper) = (r.get(&LOWER), r.get(&UPPER));
    let width = r.width();
    let (lower, upper) = (lower?, upper?);
    recipe(move || DeadZone::new(width, lower.clone(), upper.clone()))
}
