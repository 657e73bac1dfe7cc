//! `type: lqr`.

use super::riccati::small_enough;
use crate::form::{BlockType, Group, Matrix, Needs, Reader, SystemSpec, needs, recipe};
use kinegraph_systems::control::Lqr;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "lqr",
    group: Group::Controllers,
    about: "the state feedback that is best for a linear system and quadratic cost",
    example: "lqr: {type: lqr, A: [[0, 1], [0, 0]], B: [[0], [1]], Q: [[1, 0], [0, 1]], R: [[1]]}",
    files: &[],
    read,
};

const A: Needs<Matrix> = needs("A", Matrix { about: "a square matrix, as a list of rows" }, "of ẋ = A x + B u");
const B: Needs<Matrix> =
    needs("B", Matrix { about: "a matrix with one row per state, one column per effort" }, "of ẋ = A x + B u");
const Q: Needs<Matrix> = needs(
    "Q",
    Matrix { about: "a symmetric matrix with one row per state" },
    "weights of the states, positive semidefinite",
);
const R: Needs<Matrix> = needs(
    "R",
    Matrix { about: "a symmetric matrix with one row per effort" },
    "weights of the efforts, positive definite",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (a, b, q, u) = (r.get(&A), r.get(&B), r.get(&Q), r.get(&R));
    let (a, b, q, u) = (a?, b?, q?, u?);
    small_enough(r, A, &a)?;
    recipe(move || Lqr::design(&a, &b, &q, &u))
}
