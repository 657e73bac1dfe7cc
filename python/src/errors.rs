//! Faults as exceptions of Python, which are classes of `kinegraph.errors`.

use kinegraph::files::{FileFault, FileFaults};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use std::fmt::Display;

/// An exception of this class of `kinegraph.errors`.
fn of_class<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let class = py.import("kinegraph.errors").and_then(|module| module.getattr(class));
    class.and_then(|class| class.call1(arguments)).map_or_else(|error| error, PyErr::from_value)
}

/// All faults of a description, one exception.
pub fn faults(py: Python<'_>, faults: &FileFaults) -> PyErr {
    let facts = |fault: &FileFault| {
        let place = fault.at.map(|at| (at.line, at.column)).unzip();
        (fault.kind.to_string(), fault.kind.help(), fault.file.clone(), place.0, place.1)
    };
    let listed: Vec<_> = faults.0.iter().map(facts).collect();
    of_class(py, "FaultsError", (faults.to_string(), listed))
}

/// Something that the diagram does not have, or an option that does not suit it.
pub fn wrong(py: Python<'_>, error: impl Display) -> PyErr {
    of_class(
        py,
        "FaultsError",
        (error.to_string(), vec![(error.to_string(), None::<&str>, "", None::<usize>, None::<usize>)]),
    )
}

/// A run that cannot go on at `time` \[s\].
pub fn run(py: Python<'_>, error: impl Display, time: f64) -> PyErr {
    of_class(py, "RunError", (error.to_string(), time))
}

/// A snapshot that does not fit, or is none.
pub fn snapshot(py: Python<'_>, error: impl Display) -> PyErr {
    of_class(py, "SnapshotError", (error.to_string(),))
}

/// A name that there is not.
pub fn name(py: Python<'_>, error: impl Display) -> PyErr {
    of_class(py, "NameFault", (error.to_string(),))
}
