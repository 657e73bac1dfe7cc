//! `type: binary_function`.

use crate::form::{BlockType, Choice, Group, Needs, Reader, SystemSpec, WIDTH, needs, recipe};
use kinegraph_systems::operators::{Binary, BinaryFunction};
use std::convert::Infallible;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "binary_function",
    group: Group::Operators,
    about: "a function of two inputs (atan2, hypot, min, max, power)",
    example: "angle: {type: binary_function, function: atan2}",
    files: &[],
    read,
};

const FUNCTION: Needs<Choice<Binary>> =
    needs("function", Choice { what: "function", options: Binary::NAMES }, "name of the function");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let function = r.get(&FUNCTION);
    let width = r.get(&WIDTH);
    let function = function?;
    recipe(move || Ok::<_, Infallible>(BinaryFunction::new(width, function)))
}
