//! `type: discrete_state_space`.

use super::matrix::Matrix;
use super::sampling::sampling;
use crate::files::decode::{NUMBER, PerElement, ScalarOrList};
use crate::files::reader::Reader;
use crate::files::registry::{BlockType, SystemSpec, recipe};
use kinegraph_systems::dynamics::DiscreteStateSpace;
use nalgebra::DMatrix;

/// The registry entry.
pub const TYPE: BlockType = BlockType {
    name: "discrete_state_space",
    about: "a sampled linear system: y = C x + D u, then x = A x + B u",
    read,
};

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let A = r.required("A", Matrix { about: "a square matrix, as a list of rows" });
    let B = r.required("B", Matrix { about: "a matrix with one row per state, one column per input" });
    let C = r.required("C", Matrix { about: "a matrix with one row per output, one column per state" });
    let D = r.optional("D", Matrix { about: "a matrix with one row per output, one column per input" });
    let initial = r.or("initial", ScalarOrList(NUMBER), PerElement::All(0.0));
    let sampling = sampling(r);
    let (A, B, C, sampling) = (A?, B?, C?, sampling?);
    let D = D.unwrap_or_else(|| DMatrix::zeros(C.nrows(), B.ncols()));
    let initial = match initial {
        PerElement::All(value) => vec![value; A.nrows()],
        PerElement::Each(values) => values,
    };
    recipe(&TYPE, move || {
        DiscreteStateSpace::new(A.clone(), B.clone(), C.clone(), D.clone(), initial.clone(), sampling)
    })
}
