//! Evaluates one block without a diagram.

use crate::block::PythonBlock;
use crate::{convert, errors, failure};
use kinegraph::files::Catalog;
use kinegraph::systems::real::Real;
use kinegraph::systems::scalar::{partial, seed};
use kinegraph::systems::testing::conformance;
use kinegraph::systems::{Context, ErasedSystem, JET_WIDTH, Jet, Outputs, Reset, Scalar, Tick, Witness};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Evaluates one block, of the catalog or of Python, without a diagram.
#[pyclass(module = "kinegraph._kinegraph", subclass)]
pub struct Bench {
    block: Arc<dyn ErasedSystem>,
    time: f64,
    state: Vec<f64>,
    discrete: Vec<f64>,
    inputs: Vec<Option<Vec<f64>>>,
}

/// Values that the block reads, in one run: continuous state, then the inputs that have values.
struct Reading {
    values: Vec<f64>,
    inputs: Vec<Option<Range<usize>>>,
}

impl Bench {
    /// All values that the block reads; inputs without values are not-a-number if the block needs them.
    fn reading(&self) -> Reading {
        let mut values = self.state.clone();
        let ports = self.block.ports().inputs().iter().zip(&self.inputs);
        let inputs = ports.map(|(port, given)| {
            let start = values.len();
            match given {
                Some(given) => values.extend_from_slice(given),
                None if port.optional => return None,
                None => values.resize(start + port.width, f64::NAN),
            }
            Some(start..values.len())
        });
        let inputs = inputs.collect();
        Reading { values, inputs }
    }

    fn context<'a>(&'a self, reading: &'a Reading) -> Context<'a, f64> {
        let state = &reading.values[..self.state.len()];
        Context::new(self.time, state, &reading.values, &reading.inputs).with_discrete(&self.discrete)
    }

    fn input_index(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let found = self.block.ports().inputs().iter().position(|port| port.name == name);
        found.ok_or_else(|| errors::name(py, format!("the block has no input `{name}`")))
    }

    fn output_index(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let found = self.block.ports().outputs().iter().position(|port| port.name == name);
        found.ok_or_else(|| errors::name(py, format!("the block has no output `{name}`")))
    }
}

#[pymethods]
impl Bench {
    /// A block of the catalog by its type and parameters, or an object of Python.
    #[new]
    #[pyo3(signature = (type_name, parameters, folder=""))]
    fn new(py: Python<'_>, type_name: Option<&str>, parameters: &Bound<'_, PyAny>, folder: &str) -> PyResult<Self> {
        let block: Arc<dyn ErasedSystem> = match type_name {
            Some(name) => {
                let built = Catalog::standard().build(name, convert::node(parameters)?, Path::new(folder));
                built.map_err(|faults| errors::faults(py, &faults))?
            }
            None => Arc::new(Real(PythonBlock::new(parameters, "bench")?)),
        };
        let ports = block.ports();
        let initial = |runs: &[kinegraph::systems::port::StateRun]| -> Vec<f64> {
            runs.iter().flat_map(|run| run.initial.iter().copied()).collect()
        };
        let (state, discrete) = (initial(ports.continuous()), initial(ports.discrete()));
        Ok(Bench { inputs: vec![None; ports.inputs().len()], time: 0.0, state, discrete, block })
    }

    /// Gives an input its value.
    fn input<'py>(
        mut slf: PyRefMut<'py, Self>,
        name: &str,
        values: &Bound<'py, PyAny>,
    ) -> PyResult<PyRefMut<'py, Self>> {
        let index = slf.input_index(values.py(), name)?;
        let width = slf.block.ports().inputs()[index].width;
        slf.inputs[index] = Some(convert::numbers_of(values, width, || format!("the input `{name}`"))?);
        Ok(slf)
    }

    /// Puts the block into a state, all runs in order of declaration.
    fn state<'py>(mut slf: PyRefMut<'py, Self>, values: &Bound<'py, PyAny>) -> PyResult<PyRefMut<'py, Self>> {
        slf.state = convert::numbers_of(values, slf.state.len(), || "the state".into())?;
        Ok(slf)
    }

    /// Puts the block into a discrete state, all runs in order of declaration.
    fn discrete<'py>(mut slf: PyRefMut<'py, Self>, values: &Bound<'py, PyAny>) -> PyResult<PyRefMut<'py, Self>> {
        slf.discrete = convert::numbers_of(values, slf.discrete.len(), || "the discrete state".into())?;
        Ok(slf)
    }

    /// Sets the time [s].
    fn time(mut slf: PyRefMut<'_, Self>, time: f64) -> PyRefMut<'_, Self> {
        slf.time = time;
        slf
    }

    /// The value of an output; inputs that it depends on must have one.
    fn eval<'py>(&self, py: Python<'py>, output: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let index = self.output_index(py, output)?;
        let ports = self.block.ports();
        let declared = &ports.outputs()[index];
        let lacks = ports.inputs().iter().zip(&self.inputs).enumerate();
        let mut lacks =
            lacks.filter(|(i, (port, given))| given.is_none() && !port.optional && declared.feedthrough.contains(*i));
        if let Some((_, (port, _))) = lacks.next() {
            return Err(PyValueError::new_err(format!("the input `{}` has no value", port.name)));
        }
        let (reading, mut values) = (self.reading(), vec![0.0; ports.outputs_width()]);
        let mut wanted = vec![false; ports.outputs().len()];
        wanted[index] = true;
        failure::guarded(|| {
            self.block.outputs_f64(&self.context(&reading), &mut Outputs::new(ports, &mut values, &wanted));
            Ok(())
        })?;
        Ok(convert::array(py, &values[declared.range.clone()]))
    }

    /// The time derivative of the continuous state.
    fn derivatives<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (reading, mut values) = (self.reading(), vec![0.0; self.state.len()]);
        failure::guarded(|| {
            self.block.derivatives_f64(&self.context(&reading), &mut values);
            Ok(())
        })?;
        Ok(convert::array(py, &values))
    }

    /// The discrete state after an event.
    #[pyo3(signature = (event=0))]
    fn update<'py>(&self, py: Python<'py>, event: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (reading, mut next) = (self.reading(), self.discrete.clone());
        failure::guarded(|| {
            self.block.update(Tick { index: event }, &self.context(&reading), &mut next);
            Ok(())
        })?;
        Ok(convert::array(py, &next))
    }

    /// The values of the witness functions.
    fn witnesses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (reading, mut values) = (self.reading(), vec![f64::NAN; self.block.ports().witnesses().len()]);
        failure::guarded(|| {
            self.block.witnesses(&self.context(&reading), &mut values);
            Ok(())
        })?;
        Ok(convert::array(py, &values))
    }

    /// The continuous and the discrete state after a crossing of a witness function.
    #[pyo3(signature = (witness=0))]
    #[expect(clippy::type_complexity, reason = "a pair of arrays")]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        witness: usize,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let reading = self.reading();
        let (mut continuous, mut discrete) = (self.state.clone(), self.discrete.clone());
        failure::guarded(|| {
            let mut state = Reset { continuous: &mut continuous, discrete: &mut discrete };
            self.block.reset(Witness { index: witness }, &self.context(&reading), &mut state);
            Ok(())
        })?;
        Ok((convert::array(py, &continuous), convert::array(py, &discrete)))
    }

    /// The derivative of an output by an input, one row per number of the output, by the block's own way: dual
    /// numbers, its Jacobian, or differences.
    fn jacobian<'py>(&self, py: Python<'py>, input: &str, output: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (input, output) = (self.input_index(py, input)?, self.output_index(py, output)?);
        let (ports, reading) = (self.block.ports(), self.reading());
        let rows = ports.outputs()[output].range.clone();
        let columns = reading.inputs[input].clone().ok_or_else(|| PyValueError::new_err("the input has no value"))?;
        let mut jacobian = vec![0.0; rows.len() * columns.len()];
        let wanted = vec![true; ports.outputs().len()];
        failure::guarded(|| {
            for first in columns.clone().step_by(JET_WIDTH) {
                let chunk = first..columns.end.min(first + JET_WIDTH);
                let jet = |(i, value): (usize, &f64)| match chunk.contains(&i) {
                    true => seed(*value, i - first, 1.0),
                    false => Jet::constant(*value),
                };
                let jets: Vec<Jet> = reading.values.iter().enumerate().map(jet).collect();
                let mut values = vec![Jet::constant(0.0); ports.outputs_width()];
                let time = Jet::constant(self.time);
                let context = Context::new(time, &jets[..self.state.len()], &jets, &reading.inputs);
                let context = context.with_discrete(&self.discrete);
                self.block.outputs_jet(&context, &mut Outputs::new(ports, &mut values, &wanted));
                for (row, value) in values[rows.clone()].iter().enumerate() {
                    for variable in chunk.clone() {
                        jacobian[row * columns.len() + variable - columns.start] = partial(value, variable - first);
                    }
                }
            }
            Ok(())
        })?;
        convert::matrix(py, jacobian, rows.len(), columns.len())
    }

    /// Which contracts of blocks it breaks at random points: one line each; none, if it keeps them all.
    fn conformance(&self) -> PyResult<Vec<String>> {
        failure::guarded(|| {
            let report = conformance::report_at_random(&*self.block);
            Ok(report.failures.iter().map(|(_, failure)| failure.to_string()).collect())
        })
    }
}
