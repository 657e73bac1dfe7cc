//! Fits of files to recordings, plans of experiments, and arms from torques.

use crate::{convert, errors, gradient};
use kinegraph::files::Catalog;
use kinegraph::fit::arm::ArmFit;
use kinegraph::fit::{
    Fit, FitAsked, FitError, Fitted, PlanAsked, PlanReport, Progress, SavedFit, Watch, in_full, page,
};
use kinegraph::sweep::{Axis, Variation};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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
    /// Numbers of which each recording has its own.
    each: Vec<String>,
    /// Channels and columns, as on the command line.
    matches: Vec<String>,
    /// Paths in the file, with values that override those of the file.
    set: Vec<(String, Bound<'py, PyAny>)>,
    /// Standard deviations, as on the command line.
    noise: Vec<String>,
    robust: Option<bool>,
    /// End of the runs \[s\].
    until: Option<f64>,
    /// Path of the file with the fitted values.
    out: Option<PathBuf>,
    /// True to go on with the search that was saved beside `out`.
    resume: bool,
    /// Path of the page of the fit.
    report: Option<PathBuf>,
    /// Function of iterations, runs and size of the residuals.
    progress: Option<Py<PyAny>>,
}

/// A plan of experiments, as a dictionary of Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PlanDescription<'py> {
    /// Paths of the files.
    paths: Vec<PathBuf>,
    data: Vec<PathBuf>,
    by: Vec<String>,
    each: Vec<String>,
    matches: Vec<String>,
    set: Vec<(String, Bound<'py, PyAny>)>,
    noise: Vec<String>,
    /// Paths in the files, with values of experiments.
    vary: Vec<(String, Bound<'py, PyAny>)>,
}

/// A fit of an arm, as a dictionary of Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ArmDescription<'py> {
    /// Path of the file.
    path: String,
    /// Name of the arm; what is not given is that of the file.
    model: Option<String>,
    data: Vec<String>,
    matches: Vec<String>,
    set: Vec<(String, Bound<'py, PyAny>)>,
    friction: Option<bool>,
    rotors: Option<bool>,
    window: Option<usize>,
    out: Option<PathBuf>,
}

/// Ends a search by signals and exceptions of `progress`, and saves it.
struct Watcher {
    progress: Option<Py<PyAny>>,
    saved: Option<PathBuf>,
    raised: Mutex<Option<PyErr>>,
}

impl Watcher {
    fn raise(&self, error: PyErr) {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    fn has_raised(&self) -> bool {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

impl Watch for Watcher {
    fn ends(&self) -> bool {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            self.raise(error);
        }
        self.has_raised()
    }

    fn see(&self, progress: &Progress<'_>) {
        let Progress { iterations, runs, size, best, is_better } = *progress;
        if let Some(path) = self.saved.as_ref().filter(|_| is_better)
            && let Err(error) = best.write(path)
        {
            self.raise(PyOSError::new_err(format!("{}: {error}", path.display())));
        }
        if let Some(function) = &self.progress
            && let Err(error) = Python::attach(|py| function.call1(py, (iterations, runs, size)).map(drop))
        {
            self.raise(error);
        }
    }
}

fn fault(py: Python<'_>, error: FitError) -> PyErr {
    match error {
        FitError::File(error) => gradient::fault(py, error),
        error => errors::wrong(py, error),
    }
}

fn written(path: &Path, text: &str) -> PyResult<()> {
    let fault = |error| PyOSError::new_err(format!("{}: {error}", path.display()));
    std::fs::write(path, text).map_err(fault)
}

fn numbers(py: Python<'_>, by: &[String], each: &[String]) -> PyResult<Vec<Fitted>> {
    let mut all: Vec<Fitted> = gradient::parsed(py, by)?;
    all.extend(gradient::parsed::<Fitted>(py, each)?.into_iter().map(Fitted::of_each));
    Ok(all)
}

/// Fits numbers of a file to recordings; the report as JSON.
pub fn fit(py: Python<'_>, description: FitDescription<'_>) -> PyResult<String> {
    let FitDescription { path, data, by, each, matches, set, noise, robust, until, out, resume, report, progress } =
        description;
    let (template, text) = gradient::template(py, &path, &set)?;
    let asked = FitAsked {
        data: data.into_iter().map(PathBuf::from).collect(),
        matches: gradient::parsed(py, &matches)?,
        numbers: numbers(py, &by, &each)?,
        noise: gradient::parsed(py, &noise)?,
        robust,
        until,
        ..FitAsked::default()
    };
    let saved = out.as_deref().map(SavedFit::beside);
    let watcher = Watcher { progress, saved, raised: Mutex::default() };
    let solved = py.detach(|| {
        let fit = Fit::new(template, &asked)?;
        let from = watcher.saved.as_ref().filter(|_| resume).map(|path| SavedFit::read(path)).transpose()?;
        let found = fit.solve_from(from.as_ref(), &watcher)?;
        Ok((fit, found))
    });
    if let Some(error) = watcher.raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let (fit, mut found) = solved.map_err(|error| fault(py, error))?;
    if let Some(out) = &out {
        let (file, left) = fit.written(&text, &found);
        written(out, &file)?;
        let note = |(path, value): (String, f64)| format!("the file has no number at `{path}`: set it to {value:?}");
        found.notes.extend(left.into_iter().map(note));
    }
    if let Some(path) = report {
        written(&path, &page(&found, fit.name()).map_err(|error| errors::wrong(py, error))?)?;
    }
    if let Some(saved) = watcher.saved.filter(|_| found.converged) {
        let _ = std::fs::remove_file(saved);
    }
    serde_json::to_string(&found).map_err(|error| errors::wrong(py, error))
}

/// Knowledge that experiments would give; the report as JSON.
pub fn plan(py: Python<'_>, description: PlanDescription<'_>) -> PyResult<String> {
    let PlanDescription { paths, data, by, each, matches, set, noise, vary } = description;
    let axis = |(path, values): &(String, Bound<'_, PyAny>)| {
        let texts = values.try_iter()?.map(|value| Ok(convert::yaml(&convert::node(&value?)?)));
        Ok(Axis { path: path.clone(), values: texts.collect::<PyResult<_>>()? })
    };
    let asked = PlanAsked {
        files: paths,
        overrides: gradient::overrides(&set)?,
        vary: vary.iter().map(axis).collect::<PyResult<_>>()?,
        fit: FitAsked {
            data,
            numbers: numbers(py, &by, &each)?,
            matches: gradient::parsed(py, &matches)?,
            noise: gradient::parsed(py, &noise)?,
            ..FitAsked::default()
        },
    };
    let found = py.detach(|| PlanReport::of_files(&Catalog::standard(), &asked));
    Ok(json!(found.map_err(|error| fault(py, error))?).to_string())
}

/// Base parameters of an arm from its torques; the report as JSON.
pub fn arm(py: Python<'_>, description: ArmDescription<'_>) -> PyResult<String> {
    let ArmDescription { path, model, data, matches, set, friction, rotors, window, out } = description;
    let (template, text) = gradient::template(py, &path, &set)?;
    let asked = FitAsked {
        data: data.into_iter().map(PathBuf::from).collect(),
        matches: gradient::parsed(py, &matches)?,
        torques: model,
        friction,
        rotors,
        window,
        ..FitAsked::default()
    };
    let asked = in_full(&template, &asked).map_err(|error| fault(py, error))?;
    if asked.data.is_empty() {
        return Err(fault(py, FitError::NO_DATA));
    }
    let scenario = template.scenario(&Variation::default()).map_err(|error| errors::faults(py, &error.faults))?;
    let found = py.detach(|| ArmFit::asked(&scenario.diagram, &asked));
    let found = found.map_err(|error| errors::wrong(py, error))?;
    if let Some(out) = out {
        written(&out, &found.written(&text).unwrap_or_else(|| found.entries_alone()))?;
    }
    Ok(json!(found).to_string())
}
