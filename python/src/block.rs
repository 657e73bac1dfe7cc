//! Blocks written in Python, as blocks of a diagram.

use crate::context::{InputNames, PyContext};
use crate::{convert, failure};
use kinegraph::systems::real::{Jacobian, RealSystem};
use kinegraph::systems::{
    Context, Crossing, DerivativePolicy, Dyn, In, Out, Outputs, Ports, Reset, Sampling, Tick, Witness,
};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::collections::HashMap;
use std::sync::Arc;

/// A block written in Python: its declaration, and its methods.
pub struct PythonBlock {
    /// Its name in the diagram, for messages.
    name: String,
    ports: Ports,
    names: InputNames,
    policy: DerivativePolicy,
    outputs: Py<PyAny>,
    derivatives: Py<PyAny>,
    jacobian: Py<PyAny>,
    update: Py<PyAny>,
    witnesses: Py<PyAny>,
    reset: Py<PyAny>,
}

/// Argument of `add_input`: name, width, true if it may stay unconnected.
type Input = (String, usize, bool);
/// Argument of `add_output`: name, width, the inputs with direct feedthrough (`None`: all).
type Output = (String, usize, Option<Vec<String>>);

impl PythonBlock {
    /// Creates the block that `object`, a `kinegraph.Block`, declares.
    pub fn new(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let declared = |list: &str| {
            let message = "is no block: `super().__init__()` comes first in `__init__`";
            let missing = |_| PyTypeError::new_err(format!("{} {message}", object.get_type()));
            object.getattr(list).map_err(missing)
        };
        let mut ports = Ports::new();
        let (mut names, mut handles) = (HashMap::new(), Vec::<In<Dyn>>::new());
        for (input, width, optional) in declared("_inputs")?.extract::<Vec<Input>>()? {
            let handle = match optional {
                true => ports.optional_input_of_width(&input, width),
                false => ports.input_of_width(&input, width),
            };
            names.insert(input, handles.len());
            handles.push(handle);
        }
        for (output, width, depends) in declared("_outputs")?.extract::<Vec<Output>>()? {
            let handle: Out<Dyn> = ports.output_of_width(&output, width);
            let Some(depends) = depends else { continue };
            ports.no_feedthrough(handle);
            for input in depends {
                let unknown = || PyValueError::new_err(format!("`{output}` depends on `{input}`, which is no input"));
                ports.feedthrough(handle, handles[*names.get(&input).ok_or_else(unknown)?]);
            }
        }
        for (run, initial) in declared("_states")?.extract::<Vec<(String, Vec<f64>)>>()? {
            ports.continuous_state(run, initial);
        }
        for (run, initial) in declared("_discrete_states")?.extract::<Vec<(String, Vec<f64>)>>()? {
            ports.discrete_state(run, initial);
        }
        for (period, offset) in declared("_events")?.extract::<Vec<(f64, f64)>>()? {
            ports.periodic(Sampling { period, offset });
        }
        for (witness, crossing) in declared("_witnesses")?.extract::<Vec<(String, String)>>()? {
            let crossing = match crossing.as_str() {
                "rising" => Crossing::Rising,
                "falling" => Crossing::Falling,
                _ => Crossing::Either,
            };
            ports.witness(witness, crossing);
        }
        let policy = match object.call_method0("_derivative_policy")?.extract::<String>()?.as_str() {
            "given" => DerivativePolicy::Given,
            "explicit" => DerivativePolicy::Explicit,
            _ => DerivativePolicy::Differences,
        };
        let method = |name: &str| Ok::<_, PyErr>(object.getattr(name)?.unbind());
        Ok(PythonBlock {
            name: name.to_owned(),
            ports,
            names: Arc::new(names),
            policy,
            outputs: method("outputs")?,
            derivatives: method("derivatives")?,
            jacobian: method("jacobian")?,
            update: method("update")?,
            witnesses: method("witnesses")?,
            reset: method("reset")?,
        })
    }

    /// Calls a method, unless a block of this run has raised before; an exception is kept.
    fn call(&self, ctx: &Context<'_, f64>, call: impl FnOnce(Python<'_>, PyContext) -> PyResult<()>) -> bool {
        if failure::is_pending() {
            return false;
        }
        Python::attach(|py| match call(py, PyContext::of(ctx, &self.names)) {
            Ok(()) => true,
            Err(error) => {
                let note = format!("in the block `{}` at t = {} s", self.name, ctx.time);
                failure::keep(py, error, note);
                false
            }
        })
    }

    /// Calls a method that returns as many numbers as `out` has.
    fn fill(&self, method: &Py<PyAny>, what: &str, ctx: &Context<'_, f64>, out: &mut [f64]) {
        let done = self.call(ctx, |py, context| {
            let value = method.bind(py).call1((context,))?;
            out.copy_from_slice(&convert::numbers_of(&value, out.len(), || format!("`{what}` of `{}`", self.name))?);
            Ok(())
        });
        if !done {
            out.fill(f64::NAN);
        }
    }

    fn write_outputs(&self, value: &Bound<'_, PyAny>, out: &mut Outputs<'_, f64>) -> PyResult<()> {
        let outputs = self.ports.outputs();
        let mut write = |index: usize, value: &Bound<'_, PyAny>| {
            let port = &outputs[index];
            let what = || format!("the output `{}` of `{}`", port.name, self.name);
            out.set_index(index, &convert::numbers_of(value, port.width, what)?);
            Ok::<_, PyErr>(())
        };
        if let Ok(values) = value.cast::<PyDict>() {
            for (index, port) in outputs.iter().enumerate() {
                let missing =
                    || PyValueError::new_err(format!("the output `{}` of `{}` is missing", port.name, self.name));
                write(index, &values.get_item(&port.name)?.ok_or_else(missing)?)?;
            }
            return Ok(());
        }
        if let [_] = outputs {
            return write(0, value);
        }
        let values: Vec<Bound<'_, PyAny>> = match (value.cast::<PyTuple>(), value.cast::<PyList>()) {
            (Ok(values), _) => values.iter().collect(),
            (_, Ok(values)) => values.iter().collect(),
            _ => Vec::new(),
        };
        if values.len() != outputs.len() {
            let message = format!("`outputs` of `{}` gives a tuple of {} values, or a dict", self.name, outputs.len());
            return Err(PyValueError::new_err(message));
        }
        values.iter().enumerate().try_for_each(|(index, value)| write(index, value))
    }

    fn write_jacobian(&self, value: &Bound<'_, PyAny>, jacobian: &mut Jacobian) -> PyResult<()> {
        let py = value.py();
        let array = py.import("numpy")?.call_method1("asarray", (value, "float64"))?;
        let rows = self.ports.outputs_width() + self.ports.continuous_width();
        let inputs: usize = self.ports.inputs().iter().map(|port| port.width).sum();
        let columns = 1 + self.ports.continuous_width() + inputs;
        let wrong =
            || PyValueError::new_err(format!("`jacobian` of `{}` gives a matrix of {rows} x {columns}", self.name));
        let array: PyReadonlyArray2<'_, f64> = array.extract().map_err(|_| wrong())?;
        if array.shape() != [rows, columns] {
            return Err(wrong());
        }
        for ((row, column), entry) in array.as_array().indexed_iter() {
            jacobian.set(row, column, *entry);
        }
        Ok(())
    }
}

impl RealSystem for PythonBlock {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn policy(&self) -> DerivativePolicy {
        self.policy
    }

    fn outputs(&self, ctx: &Context<'_, f64>, out: &mut Outputs<'_, f64>) {
        let done = self.call(ctx, |py, context| self.write_outputs(&self.outputs.bind(py).call1((context,))?, out));
        if !done {
            for (index, port) in self.ports.outputs().iter().enumerate() {
                out.set_index(index, &vec![f64::NAN; port.width]);
            }
        }
    }

    fn derivatives(&self, ctx: &Context<'_, f64>, derivatives: &mut [f64]) {
        if !derivatives.is_empty() {
            self.fill(&self.derivatives, "derivatives", ctx, derivatives);
        }
    }

    fn jacobian(&self, ctx: &Context<'_, f64>, jacobian: &mut Jacobian) {
        self.call(ctx, |py, context| self.write_jacobian(&self.jacobian.bind(py).call1((context,))?, jacobian));
    }

    fn update(&self, tick: Tick, ctx: &Context<'_, f64>, next: &mut [f64]) {
        self.call(ctx, |py, context| {
            let value = self.update.bind(py).call1((tick.index, context))?;
            if !value.is_none() {
                let what = || format!("`update` of `{}`", self.name);
                next.copy_from_slice(&convert::numbers_of(&value, next.len(), what)?);
            }
            Ok(())
        });
    }

    fn witnesses(&self, ctx: &Context<'_, f64>, values: &mut [f64]) {
        if !values.is_empty() {
            self.fill(&self.witnesses, "witnesses", ctx, values);
        }
    }

    fn reset(&self, witness: Witness, ctx: &Context<'_, f64>, state: &mut Reset<'_>) {
        self.call(ctx, |py, context| {
            let value = self.reset.bind(py).call1((witness.index, context))?;
            if value.is_none() {
                return Ok(());
            }
            let changed = value.cast::<PyDict>().map_err(|_| {
                PyTypeError::new_err(format!("`reset` of `{}` gives a dict with `state` or `discrete`", self.name))
            })?;
            for (key, into) in [("state", &mut *state.continuous), ("discrete", &mut *state.discrete)] {
                if let Some(value) = changed.get_item(key)? {
                    let what = || format!("`{key}` of `reset` of `{}`", self.name);
                    into.copy_from_slice(&convert::numbers_of(&value, into.len(), what)?);
                }
            }
            Ok(())
        });
    }
}
