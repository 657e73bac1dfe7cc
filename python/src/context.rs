//! Context of a Python block in an evaluation.

use crate::{convert, errors};
use kinegraph::systems::Context;
use numpy::PyArray1;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Names of the inputs of a block, with their indices.
pub type InputNames = Arc<HashMap<String, usize>>;

/// Values with which a block is evaluated: `time` [s], `state` and `discrete` (all runs in order of declaration), and
/// its inputs by name, as attributes or items; `None` for an optional input that is not connected.
#[pyclass(name = "Context", module = "kinegraph", frozen)]
pub struct PyContext {
    /// Time \[s\].
    #[pyo3(get)]
    time: f64,
    /// Continuous state, discrete state, inputs.
    values: Vec<f64>,
    continuous: usize,
    discrete: usize,
    inputs: Vec<Option<Range<usize>>>,
    names: InputNames,
}

impl PyContext {
    /// Creates a copy of `ctx`, since Python may hold it longer than the arena lives.
    pub fn of(ctx: &Context<'_, f64>, names: &InputNames) -> Self {
        let mut values = Vec::with_capacity(ctx.continuous.len() + ctx.discrete.len() + 4 * names.len());
        values.extend_from_slice(ctx.continuous);
        values.extend_from_slice(ctx.discrete);
        let inputs = (0..names.len()).map(|i| {
            let input = ctx.input(i)?;
            let start = values.len();
            values.extend_from_slice(input);
            Some(start..values.len())
        });
        let inputs = inputs.collect();
        let (continuous, discrete) = (ctx.continuous.len(), ctx.discrete.len());
        PyContext { time: ctx.time, values, continuous, discrete, inputs, names: names.clone() }
    }

    fn input<'py>(&self, py: Python<'py>, name: &str) -> Option<Option<Bound<'py, PyArray1<f64>>>> {
        let index = *self.names.get(name)?;
        Some(self.inputs[index].clone().map(|range| convert::array(py, &self.values[range])))
    }
}

#[pymethods]
impl PyContext {
    /// The continuous state, all runs in order of declaration.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        convert::array(py, &self.values[..self.continuous])
    }

    /// The discrete state, all runs in order of declaration.
    #[getter]
    fn discrete<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        convert::array(py, &self.values[self.continuous..self.continuous + self.discrete])
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        self.input(py, name).ok_or_else(|| PyAttributeError::new_err(format!("the block has no input `{name}`")))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        self.input(py, name).ok_or_else(|| errors::name(py, format!("the block has no input `{name}`")))
    }
}
