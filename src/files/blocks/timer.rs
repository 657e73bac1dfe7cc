//! `type: timer`.

use super::truth::TRUE_ABOVE;
use crate::form::{BlockType, Choice, Group, Reader, SystemSpec, WIDTH, WithDefault, recipe, with_default};
use kinegraph_systems::dynamics::Timer;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "timer",
    group: Group::Sampled,
    about: "the time since its input became true, or the time during which it was",
    example: "held: {type: timer, while_false: keep}",
    files: &[],
    read,
};

const WHILE_FALSE: WithDefault<Choice<bool>> = with_default(
    "while_false",
    Choice { what: "rule", options: &[("zero", false), ("keep", true)] },
    false,
    "`zero`: the time is 0 while the input is false; `keep`: it stays and goes on from there",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (threshold, accumulates) = (r.get(&TRUE_ABOVE), r.get(&WHILE_FALSE));
    let width = r.get(&WIDTH);
    recipe(move || Timer::new(width, threshold, accumulates))
}
