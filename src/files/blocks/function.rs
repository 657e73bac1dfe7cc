//! `type: function`.

use crate::form::{BlockType, Choice, Group, Needs, Reader, SystemSpec, WIDTH, needs, recipe};
use kinegraph_systems::operators::{Elementary, Function};
use std::convert::Infallible;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "function",
    group: Group::Operators,
    about: "an elementary function of each input (sin, sqrt, abs, …)",
    example: "squash: {type: function, function: tanh}",
    files: &[],
    read,
};

const FUNCTION: Needs<Choice<Elementary>> =
    needs("function", Choice { what: "function", options: Elementary::NAMES }, "name of the function");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let function = r.get(&FUNCTION);
    let width = r.get(&WIDTH);
    let function = function?;
    recipe(move || Ok::<_, Infallible>(Function::new(width, function)))
}
