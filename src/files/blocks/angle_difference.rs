//! `type: angle_difference`.

use crate::form::{BlockType, Group, Reader, SystemSpec, WIDTH, recipe};
use kinegraph_systems::operators::AngleDifference;
use std::convert::Infallible;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "angle_difference",
    group: Group::Operators,
    about: "the difference of two angles, the shorter way round",
    example: "heading_error: {type: angle_difference}",
    files: &[],
    read,
};

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let width = r.get(&WIDTH);
    recipe(move || Ok::<_, Infallible>(AngleDifference::new(width)))
}
