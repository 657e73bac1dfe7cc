//! `type: discrete_state_space`.

use super::sampling::sampling;
use crate::files::form::{
    BlockType, Group, Key, Matrix, NUMBER, Needs, Optional, PerChannel, Reader, ScalarOrList, SystemSpec, Takes, needs,
    optional, recipe, takes,
};
use kinegraph_systems::dynamics::DiscreteStateSpace;
use nalgebra::DMatrix;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "discrete_state_space",
    group: Group::Sampled,
    about: "a sampled linear system: y = C x + D u, then x = A x + B u",
    example: "observer: {type: discrete_state_space, A: [[0.9]], B: [[0.1]], C: [[1]], period: 0.01}",
    files: &[],
    read,
};

const A: Needs<Matrix> = needs("A", Matrix { about: "a square matrix, as a list of rows" }, "of x ← A x + B u");
const B: Needs<Matrix> =
    needs("B", Matrix { about: "a matrix with one row per state, one column per input" }, "of x ← A x + B u");
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
    let sampling = sampling(r);
    let (a, b, c, sampling) = (a?, b?, c?, sampling?);
    let d = d.unwrap_or_else(|| DMatrix::zeros(c.nrows(), b.ncols()));
    recipe(move || {
        let initial = initial.clone().expand(INITIAL.key(), a.nrows())?;
        DiscreteStateSpace::new(a.clone(), b.clone(), c.clone(), d.clone(), initial, sampling)
    })
}
