//! `type: backlash`.

use crate::form::{
    BlockType, Group, NUMBER, Needs, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault, needs,
    recipe, with_default,
};
use kinegraph_systems::dynamics::Backlash;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "backlash",
    group: Group::Operators,
    about: "motion of a part that is driven through a gap: it rests within the gap and follows at its sides",
    example: "gear: {type: backlash, gap: 0.1}",
    files: &[],
    read,
};

const GAP: Needs<ScalarOrList> = needs("gap", ScalarOrList(POSITIVE), "the whole play, from side to side [any]");
const INITIAL: WithDefault<ScalarOrList> = with_default(
    "initial",
    ScalarOrList(NUMBER),
    PerChannel::All(0.0),
    "output at the start, carried to within half of the gap from the input [any]",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (gap, initial) = (r.get(&GAP), r.get(&INITIAL));
    let width = r.width();
    let gap = gap?;
    recipe(move || Backlash::new(width, gap.clone(), initial.clone()))
}
