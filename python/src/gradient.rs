//! Derivatives of runs of files.

use crate::{convert, errors};
use kinegraph::files::{Catalog, Override};
use kinegraph::gradient::{FileGradient, FileGradientError, Named};
use kinegraph::simulate::gradient::{Gradient, Of};
use kinegraph::sweep::Template;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A diagram file with values that override its own.
pub(crate) fn template(py: Python<'_>, path: &str, set: &[(String, Bound<'_, PyAny>)]) -> PyResult<(Template, String)> {
    let one = |(path, value): &(String, Bound<'_, PyAny>)| {
        Ok(Override::flag("set", path, &convert::yaml(&convert::node(value)?)))
    };
    let given = set.iter().map(one).collect::<PyResult<Vec<_>>>()?;
    let template = Template::open_over(Catalog::standard(), path, given);
    let template = template.map_err(|error| errors::faults(py, &error.faults))?;
    Ok((template, std::fs::read_to_string(path).unwrap_or_default()))
}

pub(crate) fn fault(py: Python<'_>, error: FileGradientError) -> PyErr {
    match error {
        FileGradientError::Load(error) => errors::faults(py, &error.faults),
        error => errors::wrong(py, error),
    }
}

pub(crate) fn parsed<T: std::str::FromStr>(py: Python<'_>, texts: &[String]) -> PyResult<Vec<T>>
where
    T::Err: std::fmt::Display,
{
    texts.iter().map(|text| text.parse().map_err(|error| errors::wrong(py, error))).collect()
}

/// Derivatives of the measures `of` of the run of the file at `path`, by the numbers `by`.
pub fn of<'py>(
    py: Python<'py>,
    path: &str,
    of: &[String],
    by: &[String],
    until: Option<f64>,
    set: &[(String, Bound<'py, PyAny>)],
    second_look: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let (template, text) = template(py, path, set)?;
    let (of, by): (Vec<Of>, Vec<Named>) = (parsed(py, of)?, parsed(py, by)?);
    let found = py.detach(|| {
        let file = FileGradient::new(template, &text, &by)?;
        let until = until.unwrap_or(file.scenario().duration);
        file.gradient(&of, until, second_look)
    });
    as_dict(py, &found.map_err(|error| fault(py, error))?)
}

fn as_dict<'py>(py: Python<'py>, found: &Gradient) -> PyResult<Bound<'py, PyDict>> {
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
    Ok(dict)
}
