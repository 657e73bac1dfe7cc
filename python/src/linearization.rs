//! Diagrams as linear models.

use crate::simulation::Simulation;
use crate::{convert, errors, failure};
use kinegraph::linearize::state_space::{
    DelayedModel, LinearModel, LinearizeFaults, LinearizePorts, Linearizer, Period, SampledDiagram,
};
use kinegraph::simulate::Simulation as Running;
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
    Option<f64>,
    Option<usize>,
);

/// Degree of the rational functions that stand for delays.
const PADE_ORDER: usize = 4;

/// A, B, C, D of a simulation at its present state, with the names of states, inputs and outputs, the blocks that cut
/// paths of the model, the blocks that pass nothing on at this state, the period of a model in discrete time and the
/// degree of the rational functions that stand for delays. `sampled` asks for a model in discrete time over a period,
/// or over the common one of the sampled blocks.
pub fn of<'py>(
    py: Python<'py>,
    simulation: &Simulation,
    inputs: Vec<String>,
    cuts: Vec<String>,
    outputs: Vec<String>,
    sampled: Option<Option<f64>>,
) -> PyResult<Linear<'py>> {
    let running = &simulation.running;
    let ports = LinearizePorts { inputs, cuts, outputs };
    let made = failure::guarded(|| {
        Ok(match sampled {
            None => continuous(running, &ports),
            Some(period) => discrete(running, &ports, period.map_or(Period::Common, Period::Of)),
        })
    })?;
    let (model, pade_order) = made.map_err(|faults| errors::wrong(py, faults))?;
    let (a, b) = (matrix(py, &model.a)?, matrix(py, &model.b)?);
    let (c, d) = (matrix(py, &model.c)?, matrix(py, &model.d)?);
    Ok((
        a,
        b,
        c,
        d,
        model.state_names,
        model.input_names,
        model.output_names,
        model.cut_by,
        model.flat,
        model.period,
        pade_order,
    ))
}

/// A model, with the degree of the rational functions in it, if there are any.
type Made = Result<(LinearModel, Option<usize>), LinearizeFaults>;

fn continuous(running: &Running, ports: &LinearizePorts) -> Made {
    let (diagram, state) = (running.diagram(), running.state());
    let inputs = Linearizer::new(diagram, state, ports)?.start_inputs().to_vec();
    let found = DelayedModel::of(diagram, state, &inputs, ports, false)?;
    Ok(if found.has_delays() { (found.with_pade(PADE_ORDER), Some(PADE_ORDER)) } else { (found.model, None) })
}

fn discrete(running: &Running, ports: &LinearizePorts, period: Period) -> Made {
    let sampled = SampledDiagram::new(running.diagram(), running.state(), ports, false)?;
    let found = sampled.model(period, &sampled.start_inputs()?, PADE_ORDER)?;
    Ok((found.model, found.pade_order))
}

fn matrix<'py>(py: Python<'py>, matrix: &DMatrix<f64>) -> PyResult<Matrix<'py>> {
    let rows = matrix.row_iter().flat_map(|row| row.iter().copied().collect::<Vec<_>>()).collect();
    convert::matrix(py, rows, matrix.nrows(), matrix.ncols())
}
