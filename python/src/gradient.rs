//! Derivatives of runs of files, and fits to recordings.

use crate::{convert, errors};
use kinegraph::files::{Catalog, Override};
use kinegraph::fit::{Fit, FitError, Fitted, Match, Noise};
use kinegraph::gradient::{FileGradient, FileGradientError, Named};
use kinegraph::simulate::gradient::{Gradient, Of};
use kinegraph::sweep::Template;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A diagram file with values that override its own.
fn template(py: Python<'_>, path: &str, set: &[(String, Bound<'_, PyAny>)]) -> PyResult<(Template, String)> {
    let one = |(path, value): &(String, Bound<'_, PyAny>)| {
        Ok(Override::flag("set", path, &convert::yaml(&convert::node(value)?)))
    };
    let given = set.iter().map(one).collect::<PyResult<Vec<_>>>()?;
    let template = Template::open_over(Catalog::standard(), path, given);
    let template = template.map_err(|error| errors::faults(py, &error.faults))?;
    Ok((template, std::fs::read_to_string(path).unwrap_or_default()))
}

fn fault(py: Python<'_>, error: FileGradientError) -> PyErr {
    match error {
        FileGradientError::Load(error) => errors::faults(py, &error.faults),
        error => errors::wrong(py, error),
    }
}

fn parsed<T: std::str::FromStr>(py: Python<'_>, texts: &[String]) -> PyResult<Vec<T>>
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

/// A fit, as a dictionary of Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct FitDescription<'py> {
    /// Path of the file.
    path: String,
    /// Paths of the recordings.
    data: Vec<String>,
    /// Numbers that are fitted, as on the command line.
    by: Vec<String>,
    /// Channels and columns, as on the command line.
    matches: Vec<String>,
    /// Paths in the file, with values that override those of the file.
    set: Vec<(String, Bound<'py, PyAny>)>,
    /// Numbers of which each recording has its own.
    each: Vec<String>,
    /// Standard deviations, as on the command line.
    noise: Vec<String>,
    robust: bool,
}

/// Fits numbers of a file to recordings; the report as JSON.
pub fn fit(py: Python<'_>, description: FitDescription<'_>) -> PyResult<String> {
    let FitDescription { path, data, by, each, matches, set, noise, robust } = description;
    let (template, text) = template(py, &path, &set)?;
    let (mut by, matches): (Vec<Fitted>, Vec<Match>) = (parsed(py, &by)?, parsed(py, &matches)?);
    by.extend(parsed::<Fitted>(py, &each)?.into_iter().map(Fitted::of_each));
    let noise: Vec<Noise> = parsed(py, &noise)?;
    let solved =
        py.detach(|| Fit::new(template, &text, by, matches, &data)?.with_noise(&noise)?.robust(robust).solve());
    let report = solved.map_err(|error| match error {
        FitError::File(error) => fault(py, error),
        error => errors::wrong(py, error),
    })?;
    serde_json::to_string(&report).map_err(|error| errors::wrong(py, error))
}
