//! Options of the integrator from keyword arguments.

use crate::errors;
use kinegraph::integrators::{METHODS, Options, method};
use kinegraph::systems::names::{did_you_mean, nearest};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Keyword arguments that override values of the file.
#[derive(Clone, Default)]
pub struct Given {
    integrator: Option<String>,
    accuracy: Option<f64>,
    step: Option<f64>,
    max_step: Option<f64>,
    min_step: Option<f64>,
    initial_step: Option<f64>,
}

/// Default step of integrators that need one \[s\].
const DEFAULT_STEP: f64 = 1e-3;

impl Given {
    /// Collects keyword arguments, without those that are `None`.
    pub fn new(arguments: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut given = Given::default();
        for (key, value) in arguments.iter().filter(|(_, value)| !value.is_none()) {
            let key: String = key.extract()?;
            match key.as_str() {
                "integrator" => given.integrator = Some(value.extract()?),
                "accuracy" => given.accuracy = Some(value.extract()?),
                "step" => given.step = Some(value.extract()?),
                "max_step" => given.max_step = Some(value.extract()?),
                "min_step" => given.min_step = Some(value.extract()?),
                "initial_step" => given.initial_step = Some(value.extract()?),
                _ => return Err(PyTypeError::new_err(format!("there is no option `{key}`"))),
            }
        }
        Ok(given)
    }

    /// Options `base` with the arguments applied.
    pub fn over(&self, py: Python<'_>, base: Options) -> PyResult<Options> {
        let mut options = base;
        if let Some(name) = &self.integrator {
            options.integrator = method(name).ok_or_else(|| {
                let names = METHODS.iter().map(|method| method.name);
                let hint = did_you_mean(&nearest(name, names.clone()));
                let all = names.collect::<Vec<_>>().join(", ");
                errors::wrong(py, format!("there is no integrator `{name}`{hint}; there are {all}"))
            })?;
        }
        options.accuracy = self.accuracy.unwrap_or(options.accuracy);
        options.step = self.step.or(options.step);
        options.max_step = self.max_step.unwrap_or(options.max_step);
        options.min_step = self.min_step.unwrap_or(options.min_step);
        options.initial_step = self.initial_step.or(options.initial_step);
        if options.step.is_none() && !options.error_controlled() {
            options.step = Some(DEFAULT_STEP);
        }
        match options.check() {
            Ok(()) => Ok(options),
            Err(error) => Err(errors::wrong(py, error)),
        }
    }
}
