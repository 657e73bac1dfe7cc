//! `type: latch`.

use super::truth::TRUE_ABOVE;
use crate::form::{BlockType, Choice, Group, Reader, SystemSpec, WIDTH, WithDefault, recipe, with_default};
use kinegraph_systems::dynamics::{Dominant, Latch};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "latch",
    group: Group::Sampled,
    about: "goes to 1 where `set` is true, to 0 where `reset` is, and stays otherwise",
    example: "alarm: {type: latch, dominant: set}",
    files: &[],
    read,
};

const DOMINANT: WithDefault<Choice<Dominant>> = with_default(
    "dominant",
    Choice { what: "input", options: &[("reset", Dominant::Reset), ("set", Dominant::Set)] },
    Dominant::Reset,
    "which input decides while both are true",
);
const STARTS: WithDefault<Choice<bool>> = with_default(
    "starts",
    Choice { what: "state", options: &[("reset", false), ("set", true)] },
    false,
    "state before an input is true: `reset` is 0, `set` is 1",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (threshold, dominant, starts) = (r.get(&TRUE_ABOVE), r.get(&DOMINANT), r.get(&STARTS));
    let width = r.get(&WIDTH);
    recipe(move || Latch::new(width, threshold, dominant, starts))
}
