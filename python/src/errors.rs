//! Conversion of faults to exceptions of Python, which are classes of `kinegraph.errors`.

use kinegraph::files::{FileFault, FileFaults};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use std::fmt::Display;

/// Creates an exception of this class of `kinegraph.errors`.
fn of_class<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let class = py.import("kinegraph.errors").and_then(|module| module.getattr(class));
    class.and_then(|class| class.call1(arguments)).map_or_else(|error| error, PyErr::from_value)
}

/// Converts all faults of a description to one exception.
pub fn faults(py: Python<'_>, faults: &FileFaults) -> PyErr {
    let facts = |fault: &FileFault| {
        let place = fault.at.map(|at| (at.line, at.column)).unzip();
        (fault.kind.to_string(), fault.kind.help(), fault.file.clone(), place.0, place.1)
    };
    let listed: Vec<_> = faults.0.iter().map(facts).collect();
    of_class(py, "FaultsError", (faults.to_string(), listed))
}

/// Exception for something that the diagram does not have, or an option that does not suit it.
pub fn wrong(py: Python<'_>, error: impl Display) -> PyErr {
    of_class(
        py,
        "FaultsError",
        (error.to_string(), vec![(error.to_string(), None::<&str>, "", None::<usize>, None::<usize>)]),
    )
}

/// Exception for a run that cannot go on at `time` \[s\].
pub fn run(py: Python<'_>, error: impl Display, time: f64) -> PyErr {
    of_class(py, "RunError", (error.to_string(), time))
}

/// Exception for a snapshot that is invalid or does not fit.
pub fn snapshot(py: Python<'_>, error: impl Display) -> PyErr {
    of_class(py, "SnapshotError", (error.to_string(),))
}

/// Exception for an unknown name.
pub fn name(py: Python<'_>, error: impl Display) -> PyErr {
    of_class(py, "NameFault", (error.to_string(),))
}
