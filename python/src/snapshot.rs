//! Snapshots of simulations.

use crate::errors;
use kinegraph::simulate::Snapshot;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// A simulation as a value: all that is needed to go on from there later, bit for bit. Can be pickled.
#[pyclass(name = "Snapshot", module = "kinegraph", frozen)]
pub struct PySnapshot(pub Snapshot);

#[pymethods]
impl PySnapshot {
    /// From what `bytes` gave.
    #[new]
    fn new(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        Snapshot::from_bytes(data).map(PySnapshot).map_err(|error| errors::snapshot(py, error))
    }

    /// Reads a file that `write`, or `kinegraph run --snapshot`, wrote.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Snapshot::read(&path).map(PySnapshot).map_err(|error| errors::snapshot(py, error))
    }

    /// Writes a file: JSON if its name ends in `.json`, bytes otherwise.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.0.write(&path).map_err(|error| errors::snapshot(py, error))
    }

    /// Time [s].
    #[getter]
    fn time(&self) -> f64 {
        self.0.time
    }

    /// Name of the diagram.
    #[getter]
    fn diagram(&self) -> &str {
        &self.0.diagram
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.0.to_bytes().map_err(|error| errors::snapshot(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((slf.get_type().into_any(), (slf.get().__bytes__(slf.py())?,)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __repr__(&self) -> String {
        format!("<kinegraph.Snapshot of {} at t = {} s>", self.0.diagram, self.0.time)
    }
}
