//! Common part of linear systems, continuous and sampled: their matrices, and how these are read.

use crate::form::{
    Key, Matrix, NUMBER, Needs, Optional, PerChannel, Reader, ScalarOrList, WithDefault, needs, optional, with_default,
};
use kinegraph_core::parameter::ParameterError;
use nalgebra::DMatrix;

/// Shape of `A`.
pub(super) const SQUARE: Matrix = Matrix { about: "a square matrix, as a list of rows" };
/// Shape of `B`.
pub(super) const STATES_BY_INPUTS: Matrix = Matrix { about: "a matrix with one row per state, one column per input" };
const C: Needs<Matrix> =
    needs("C", Matrix { about: "a matrix with one row per output, one column per state" }, "of y = C x + D u");
const D: Optional<Matrix> = optional(
    "D",
    Matrix { about: "a matrix with one row per output, one column per input" },
    "zeros",
    "of y = C x + D u",
);
const INITIAL: WithDefault<ScalarOrList> =
    with_default("initial", ScalarOrList(NUMBER), PerChannel::All(0.0), "state at the start [any]");

/// Matrices of a linear system and its initial state.
#[derive(Clone, Debug)]
pub(super) struct LinearSystem {
    pub a: DMatrix<f64>,
    pub b: DMatrix<f64>,
    pub c: DMatrix<f64>,
    pub d: DMatrix<f64>,
    initial: PerChannel,
}

impl LinearSystem {
    /// Reads the matrices, `A` and `B` as the block declares them. If `D` is missing, there is no direct feedthrough.
    pub fn read(r: &mut Reader<'_>, A: &Needs<Matrix>, B: &Needs<Matrix>) -> Option<LinearSystem> {
        let (a, b, c, d) = (r.get(A), r.get(B), r.get(&C), r.get(&D));
        let initial = r.get(&INITIAL);
        let (a, b, c) = (a?, b?, c?);
        let d = d.unwrap_or_else(|| DMatrix::zeros(c.nrows(), b.ncols()));
        Some(LinearSystem { a, b, c, d, initial })
    }

    /// Initial state, one number for each state.
    pub fn initial(&self) -> Result<Vec<f64>, ParameterError> {
        self.initial.clone().expand(INITIAL.key(), self.a.nrows())
    }
}
