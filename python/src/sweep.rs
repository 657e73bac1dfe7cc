//! Variations of a diagram file, for runs on any executor.

use crate::{convert, errors, gradient};
use kinegraph::sweep::{
    Axis, Derivatives, SampledParameter, Sweep as Described, TableCell, Template, columns, run_variation,
};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A file that is read once, and what is varied of it. Every process makes its own; runs are the same bits in each.
#[pyclass(module = "kinegraph._kinegraph", frozen)]
pub struct FileSweep {
    template: Template,
    sweep: Described,
}

/// Specification of a sweep of a diagram file, as a dictionary of Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Description<'py> {
    /// Path of the file.
    path: String,
    /// Paths in the file, with values that override those of the file.
    set: Vec<(String, Bound<'py, PyAny>)>,
    /// Paths in the file, with lists of values; a list may be a text as on the command line.
    vary: Vec<(String, Bound<'py, PyAny>)>,
    /// Paths in the file, with distributions of random values.
    sample: Vec<(String, String)>,
    integrators: Vec<String>,
    accuracies: Vec<f64>,
    /// Number of draws of each combination.
    runs: u64,
    seed: u64,
    measures: Vec<String>,
    /// Measures of which each run has derivatives, and numbers by which.
    derivatives: Vec<String>,
    by: Vec<String>,
    /// Bound in accuracies on the difference to comparison runs, if runs are verified.
    verify: Option<f64>,
}

#[pymethods]
impl FileSweep {
    #[new]
    fn new(py: Python<'_>, description: Description<'_>) -> PyResult<Self> {
        let Description {
            path,
            set,
            vary,
            sample,
            integrators,
            accuracies,
            runs,
            seed,
            measures,
            derivatives,
            by,
            verify,
        } = description;
        let wrong = |error: &dyn std::fmt::Display| errors::wrong(py, error);
        let (template, _) = gradient::template(py, &path, &set)?;
        let axis = |(path, values): &(String, Bound<'_, PyAny>)| match values.extract::<String>() {
            Ok(text) => Axis::parse(&format!("{path}={text}")).map_err(|error| wrong(&error)),
            Err(_) => {
                let texts = values.try_iter()?.map(|value| Ok(convert::yaml(&convert::node(&value?)?)));
                Ok(Axis { path: path.clone(), values: texts.collect::<PyResult<_>>()? })
            }
        };
        let sampled = |(path, text): &(String, String)| SampledParameter::parse(&format!("{path}={text}"));
        let measures = measures.iter().map(|text| text.parse()).collect::<Result<Vec<_>, _>>();
        let sweep = Described {
            vary: vary.iter().map(axis).collect::<PyResult<_>>()?,
            integrators,
            accuracies,
            sample: sample.iter().map(sampled).collect::<Result<_, _>>().map_err(|error| wrong(&error))?,
            runs,
            seed,
            measures: measures.map_err(|error| wrong(&error))?,
            requirements: Vec::new(),
            derivatives: Derivatives { of: gradient::parsed(py, &derivatives)?, by: gradient::parsed(py, &by)? },
            verify,
        };
        let sweep = sweep.checked(&template).map_err(|error| wrong(&error))?;
        Ok(FileSweep { template, sweep })
    }

    fn __len__(&self) -> usize {
        self.sweep.len() as usize
    }

    /// A checksum of the file and of what it names.
    #[getter]
    fn digest(&self) -> u32 {
        self.template.digest()
    }

    /// The columns of the table.
    #[getter]
    fn columns(&self) -> Vec<String> {
        columns(&self.sweep)
    }

    /// The row of one run. It is part of the table that a run failed, no exception.
    fn run<'py>(&self, py: Python<'py>, index: u64) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let missing = || PyValueError::new_err(format!("there is no run {index}"));
        let variation = self.sweep.variation(index).ok_or_else(missing)?;
        let row = py.detach(|| run_variation(&self.template, &variation, &self.sweep.measures));
        let cell = |cell: TableCell| match cell {
            TableCell::None => Ok(py.None().into_bound(py)),
            TableCell::Number(x) => x.into_bound_py_any(py),
            TableCell::Whole(n) => n.into_bound_py_any(py),
            TableCell::Text(text) => text.into_bound_py_any(py),
        };
        row.cells_of(columns(&self.sweep).len()).into_iter().map(cell).collect()
    }
}
