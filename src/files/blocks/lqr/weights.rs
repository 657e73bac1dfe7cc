//! Weights of states or efforts: a matrix, its diagonal, or one number for all.

use crate::form::{Decode, Item, ListOf, Matrix, NUMBER, Number, Value};
use kinegraph_core::parameter::{self, ParameterError};
use nalgebra::{DMatrix, DVector};

/// Decoder of weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct WeightsOf {
    /// Description of the matrix, in words that fit "expected …".
    pub about: &'static str,
}

/// Weights as they are written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Weights {
    /// One number for all.
    All(f64),
    /// A diagonal.
    Diagonal(Vec<f64>),
    /// The whole matrix.
    Whole(DMatrix<f64>),
}

impl Decode for WeightsOf {
    type Output = Weights;
    fn expects(&self) -> String {
        format!("{}, its diagonal as a list, or one number for all of it", self.about)
    }
    fn decode(&self, item: Item<'_>) -> Option<Weights> {
        match &item.node.value {
            Value::List(nodes) if nodes.iter().any(|node| matches!(node.value, Value::List(_))) => {
                Matrix { about: self.about }.decode(item).map(Weights::Whole)
            }
            Value::List(nodes) if !nodes.is_empty() => {
                const EACH: Number = NUMBER;
                ListOf { each: EACH, about: "the numbers of a diagonal" }.decode(item).map(Weights::Diagonal)
            }
            Value::Number(_) => NUMBER.decode(item).map(Weights::All),
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}

impl Weights {
    /// Number of rows, if it is written.
    pub fn size(&self) -> Option<usize> {
        match self {
            Weights::All(_) => None,
            Weights::Diagonal(diagonal) => Some(diagonal.len()),
            Weights::Whole(matrix) => Some(matrix.nrows()),
        }
    }

    /// The matrix, of `size` rows.
    pub fn matrix(&self, parameter: &str, size: usize) -> Result<DMatrix<f64>, ParameterError> {
        match self {
            Weights::All(weight) => Ok(DMatrix::from_diagonal_element(size, size, *weight)),
            Weights::Diagonal(diagonal) => {
                parameter::size(parameter, diagonal.len(), size)?;
                Ok(DMatrix::from_diagonal(&DVector::from_column_slice(diagonal)))
            }
            Weights::Whole(matrix) => {
                parameter::matrix(parameter, matrix, (size, size))?;
                Ok(matrix.clone())
            }
        }
    }
}
