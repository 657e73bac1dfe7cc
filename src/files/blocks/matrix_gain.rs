//! `type: matrix_gain`.

use crate::form::{BlockType, Group, ListOf, NUMBER, Needs, Number, Reader, SystemSpec, needs, recipe};
use kinegraph_systems::operators::MatrixGain;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "matrix_gain",
    group: Group::Operators,
    about: "multiplies a vector by a matrix",
    example: "mix: {type: matrix_gain, matrix: [[1, 0.5], [0, 2]]}",
    files: &[],
    read,
};

const MATRIX: Needs<ListOf<ListOf<Number>>> = needs(
    "matrix",
    ListOf {
        each: ListOf { each: NUMBER, about: "the numbers of one row" },
        about: "a list of rows, each a list of numbers",
    },
    "output = matrix times input [any]",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let matrix = r.get(&MATRIX)?;
    recipe(move || MatrixGain::new(matrix.clone()))
}
