//! Diagrams as linear models.

use crate::simulation::Simulation;
use crate::{convert, errors, failure};
use kinegraph::linearize::state_space::{LinearizePorts, linearize};
use nalgebra::DMatrix;
use numpy::PyArray2;
use pyo3::prelude::*;

type Matrix<'py> = Bound<'py, PyArray2<f64>>;
/// Fields of the tuple for Python.
pub type Linear<'py> = (
    Matrix<'py>,
    Matrix<'py>,
    Matrix<'py>,
    Matrix<'py>,
    Vec<String>,
    Vec<String>,
    Vec<String>,
    Vec<String>,
    Vec<String>,
);

/// A, B, C, D of a simulation at its present state, with the names of states, inputs and outputs, the blocks that cut
/// paths of the model, and the blocks that pass nothing on at this state.
pub fn of<'py>(
    py: Python<'py>,
    simulation: &Simulation,
    inputs: Vec<String>,
    cuts: Vec<String>,
    outputs: Vec<String>,
) -> PyResult<Linear<'py>> {
    let running = &simulation.running;
    let ports = LinearizePorts { inputs, cuts, outputs };
    let made = failure::guarded(|| Ok(linearize(running.diagram(), running.state(), &ports)))?;
    let model = made.map_err(|faults| errors::wrong(py, faults))?;
    let (a, b) = (matrix(py, &model.a)?, matrix(py, &model.b)?);
    let (c, d) = (matrix(py, &model.c)?, matrix(py, &model.d)?);
    Ok((a, b, c, d, model.state_names, model.input_names, model.output_names, model.cut_by, model.flat))
}

fn matrix<'py>(py: Python<'py>, matrix: &DMatrix<f64>) -> PyResult<Matrix<'py>> {
    let rows = matrix.row_iter().flat_map(|row| row.iter().copied().collect::<Vec<_>>()).collect();
    convert::matrix(py, rows, matrix.nrows(), matrix.ncols())
}
