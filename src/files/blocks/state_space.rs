//! `type: state_space`.

use crate::files::form::{
    BlockType, Group, Key, Matrix, NUMBER, Needs, Optional, PerChannel, Reader, ScalarOrList, SystemSpec, Takes, needs,
    optional, recipe, takes,
};
use kinegraph_systems::dynamics::StateSpace;
use nalgebra::DMatrix;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "state_space",
    group: Group::Dynamics,
    about: "a linear system: dx/dt = A x + B u, y = C x + D u",
    example: "motor: {type: state_space, A: [[0, 1], [0, -2]], B: [[0], [1]], C: [[1, 0]]}",
    files: &[],
    read,
};

const A: Needs<Matrix> = needs("A", Matrix { about: "a square matrix, as a list of rows" }, "of ẋ = A x + B u");
const B: Needs<Matrix> =
    needs("B", Matrix { about: "a matrix with one row per state, one column per input" }, "of ẋ = A x + B u");
const C: Needs<Matrix> =
    needs("C", Matrix { about: "a matrix with one row per output, one column per state" }, "of y = C x + D u");
const D: Optional<Matrix> = optional(
    "D",
    Matrix { about: "a matrix with one row per output, one column per input" },
    "zeros",
    "of y = C x + D u",
);
const INITIAL: Takes<ScalarOrList> = takes("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "state at the start");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (a, b, c, d) = (r.get(&A), r.get(&B), r.get(&C), r.get(&D));
    let initial = r.get(&INITIAL);
    let (a, b, c) = (a?, b?, c?);
    let d = d.unwrap_or_else(|| DMatrix::zeros(c.nrows(), b.ncols()));
    recipe(move || {
        let initial = initial.clone().expand(INITIAL.key(), a.nrows())?;
        StateSpace::new(a.clone(), b.clone(), c.clone(), d.clone(), initial)
    })
}
