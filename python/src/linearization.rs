//! Diagrams as linear models.

use crate::simulation::Simulation;
use crate::{convert, errors, failure};
use kinegraph::linearize::state_space::{
    DelayedModel, HeldPart, LinearContact, LinearModel, LinearizeFaults, LinearizePorts, Linearizer, Period,
    SampledDiagram,
};
use kinegraph::simulate::Simulation as Running;
use nalgebra::DMatrix;
use numpy::PyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

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
    Vec<Bound<'py, PyDict>>,
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
    ports: &LinearizePorts,
    sampled: Option<Option<f64>>,
    contact: &str,
) -> PyResult<Linear<'py>> {
    let running = &simulation.running;
    let known = LinearContact::NAMED.iter().find(|(name, _)| *name == contact);
    let contact = known
        .map(|(_, contact)| *contact)
        .ok_or_else(|| PyValueError::new_err(format!("contact={contact:?}: expected \"law\", \"hold\" or \"none\"")))?;
    let made = failure::guarded(|| {
        Ok(match sampled {
            None => continuous(running, ports, contact),
            Some(period) => discrete(running, ports, period.map_or(Period::Common, Period::Of), contact),
        })
    })?;
    let (model, pade_order, held) = made.map_err(|faults| errors::wrong(py, faults))?;
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
        held.iter().map(|part| held_part(py, part)).collect::<PyResult<_>>()?,
    ))
}

/// A contact, or something else that holds, as a dictionary.
fn held_part<'py>(py: Python<'py>, part: &HeldPart) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("plant", &part.plant)?;
    dict.set_item("names", &part.names)?;
    dict.set_item("kind", part.kind.name())?;
    dict.set_item("points", part.points)?;
    for (key, value) in [("force", part.force), ("friction", part.friction), ("slip", part.slip)] {
        dict.set_item(key, value)?;
    }
    dict.set_item("margin", part.margin)?;
    Ok(dict)
}

/// A model, with the degree of the rational functions in it, if there are any, and what touches or holds.
type Made = Result<(LinearModel, Option<usize>, Vec<HeldPart>), LinearizeFaults>;

fn continuous(running: &Running, ports: &LinearizePorts, contact: LinearContact) -> Made {
    let (diagram, state) = (running.diagram(), running.state());
    let mut linearizer = Linearizer::new(diagram, state, ports)?.with_contact(contact);
    let inputs = linearizer.start_inputs().to_vec();
    let held = linearizer.held(state, &inputs).map_err(|fault| LinearizeFaults(vec![fault]))?;
    let found = DelayedModel::of(diagram, state, &inputs, ports, contact)?;
    let has_delays = found.has_delays();
    let model = if has_delays { found.with_pade(PADE_ORDER) } else { found.model };
    Ok((model, has_delays.then_some(PADE_ORDER), held))
}

fn discrete(running: &Running, ports: &LinearizePorts, period: Period, contact: LinearContact) -> Made {
    let sampled = SampledDiagram::new(running.diagram(), running.state(), ports, contact)?;
    let inputs = sampled.start_inputs()?;
    let found = sampled.model(period, &inputs, PADE_ORDER)?;
    Ok((found.model, found.pade_order, sampled.held(&inputs)?))
}

fn matrix<'py>(py: Python<'py>, matrix: &DMatrix<f64>) -> PyResult<Matrix<'py>> {
    let rows = matrix.row_iter().flat_map(|row| row.iter().copied().collect::<Vec<_>>()).collect();
    convert::matrix(py, rows, matrix.nrows(), matrix.ncols())
}
