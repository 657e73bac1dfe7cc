//! Derivatives of runs of files.

use crate::{convert, errors};
use kinegraph::files::{Catalog, Override};
use kinegraph::gradient::{ChannelOverTime, FileGradient, FileGradientError, FoundGradient};
use kinegraph::scenario::GradientAsked;
use kinegraph::sweep::{Template, Variation};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Values that override those of a file.
pub(crate) fn overrides(set: &[(String, Bound<'_, PyAny>)]) -> PyResult<Vec<Override>> {
    let one = |(path, value): &(String, Bound<'_, PyAny>)| {
        Ok(Override::flag("set", path, &convert::yaml(&convert::node(value)?)))
    };
    set.iter().map(one).collect()
}

/// A diagram file with values that override its own.
pub(crate) fn template(py: Python<'_>, path: &str, set: &[(String, Bound<'_, PyAny>)]) -> PyResult<(Template, String)> {
    let template = Template::open_over(Catalog::standard(), path, overrides(set)?);
    let template = template.map_err(|error| errors::faults(py, &error.faults))?;
    Ok((template, std::fs::read_to_string(path).unwrap_or_default()))
}

pub(crate) fn fault(py: Python<'_>, error: FileGradientError) -> PyErr {
    match error {
        FileGradientError::Load(error) => errors::faults(py, &error.faults),
        error => errors::wrong(py, error),
    }
}

/// Things that are written as texts.
pub(crate) fn parsed<T: std::str::FromStr>(py: Python<'_>, texts: &[String]) -> PyResult<Vec<T>>
where
    T::Err: std::fmt::Display,
{
    texts.iter().map(|text| text.parse().map_err(|error| errors::wrong(py, error))).collect()
}

/// Request for derivatives, as a dictionary of Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct GradientDescription<'py> {
    /// Path of the file.
    path: String,
    /// Measures, numbers and channels, as on the command line; where there are none, those of the file.
    of: Vec<String>,
    by: Vec<String>,
    over_time: Vec<String>,
    /// End of the run, and time between samples \[s\].
    until: Option<f64>,
    every: Option<f64>,
    /// Paths in the file, with values that override those of the file.
    set: Vec<(String, Bound<'py, PyAny>)>,
    second_look: bool,
}

/// Derivatives of the run of a file.
pub fn of<'py>(py: Python<'py>, description: GradientDescription<'py>) -> PyResult<Bound<'py, PyDict>> {
    let GradientDescription { path, of, by, over_time, until, every, mut set, second_look } = description;
    if let Some(every) = every {
        set.push(("record.every".to_owned(), every.into_bound_py_any(py)?));
    }
    let (template, _) = template(py, &path, &set)?;
    let asked = GradientAsked { of: parsed(py, &of)?, by: parsed(py, &by)?, over_time, until };
    let found = py.detach(|| FileGradient::new(&template, &Variation::default(), &asked)?.gradient(second_look));
    as_dict(py, &found.map_err(|error| fault(py, error))?)
}

fn as_dict<'py>(py: Python<'py>, found: &FoundGradient) -> PyResult<Bound<'py, PyDict>> {
    let FoundGradient { gradient: found, times, over_time } = found;
    let dict = PyDict::new(py);
    let all = |number: fn(&kinegraph::simulate::gradient::Derivative) -> f64| -> Vec<f64> {
        found.derivatives.iter().map(number).collect()
    };
    dict.set_item("of", &found.of)?;
    dict.set_item("by", found.by.iter().map(|by| by.name.clone()).collect::<Vec<_>>())?;
    dict.set_item("values", convert::array(py, &found.values))?;
    dict.set_item("value", convert::array(py, &all(|one| one.value)))?;
    dict.set_item("error", convert::array(py, &all(|one| one.error)))?;
    dict.set_item("low", convert::array(py, &all(|one| one.valid.0)))?;
    dict.set_item("high", convert::array(py, &all(|one| one.valid.1)))?;
    dict.set_item("notes", found.notes.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    let series =
        |columns: fn(&ChannelOverTime) -> Vec<f64>| -> Vec<f64> { over_time.iter().flat_map(columns).collect() };
    dict.set_item("times", convert::array(py, times))?;
    dict.set_item("channels", over_time.iter().map(|channel| channel.name.clone()).collect::<Vec<_>>())?;
    dict.set_item("series", convert::array(py, &series(|channel| channel.values.clone())))?;
    dict.set_item("slopes", convert::array(py, &series(|channel| channel.derivatives.concat())))?;
    dict.set_item("slope_errors", convert::array(py, &series(|channel| channel.errors.concat())))?;
    Ok(dict)
}
