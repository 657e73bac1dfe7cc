//! `type: saturation`.

use crate::form::{BlockType, Group, NUMBER, Needs, Reader, ScalarOrList, SystemSpec, needs, recipe};
use kinegraph_systems::operators::Saturation;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "saturation",
    group: Group::Operators,
    about: "bounds each input",
    example: "limit: {type: saturation, lower: -10, upper: 10}",
    files: &[],
    read,
};

const LOWER: Needs<ScalarOrList> = needs("lower", ScalarOrList(NUMBER), "smallest output [any]").live();
const UPPER: Needs<ScalarOrList> = needs("upper", ScalarOrList(NUMBER), "largest output [any]").live();

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (lower, upper) = (r.get(&LOWER), r.get(&UPPER));
    let width = r.width();
    let (lower, upper) = (lower?, upper?);
    recipe(move || Saturation::new(width, lower.clone(), upper.clone()))
}
