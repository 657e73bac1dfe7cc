//! `type: edge`.

use super::truth::TRUE_ABOVE;
use crate::form::{
    BlockType, Choice, Group, Needs, Number, POSITIVE, Reader, SystemSpec, WithDefault, needs, recipe, with_default,
};
use kinegraph_core::port::Crossing;
use kinegraph_systems::dynamics::Edge;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "edge",
    group: Group::Sampled,
    about: "a pulse at each edge of a signal, and the number of edges",
    example: "press: {type: edge, duration: 0.1}",
    files: &[],
    read,
};

const DURATION: Needs<Number> = needs("duration", POSITIVE, "of a pulse [s]");
const ON: WithDefault<Choice<Crossing>> = with_default(
    "on",
    Choice {
        what: "edge",
        options: &[("rising", Crossing::Rising), ("falling", Crossing::Falling), ("either", Crossing::Either)],
    },
    Crossing::Rising,
    "direction in which the input crosses the threshold",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (on, threshold, duration) = (r.get(&ON), r.get(&TRUE_ABOVE), r.get(&DURATION));
    let duration = duration?;
    recipe(move || Edge::new(on, threshold, duration))
}
