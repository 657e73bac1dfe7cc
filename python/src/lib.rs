//! The compiled part of the Python package `kinegraph`: basis of the classes of `python/kinegraph/`.
//!
//! Numbers are passed as arrays of numpy, descriptions of diagrams as trees of lists and dicts, which are read like
//! files. The lock of the interpreter is released while a simulation steps, and taken again by blocks written in
//! Python.

mod bench;
mod block;
mod catalog;
mod context;
mod convert;
mod diagram;
mod errors;
mod failure;
mod fit;
mod gradient;
mod linearization;
mod options;
mod page;
mod python_type;
mod recording;
mod signals;
mod simulation;
mod snapshot;
mod states;
mod sweep;
mod worlds;

use pyo3::prelude::*;

#[pymodule]
mod _kinegraph {
    use super::*;
    use pyo3::types::PyDict;

    #[pymodule_export]
    use super::bench::Bench;
    #[pymodule_export]
    use super::context::PyContext;
    #[pymodule_export]
    use super::diagram::Diagram;
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::snapshot::PySnapshot;
    #[pymodule_export]
    use super::sweep::FileSweep;
    #[pymodule_export]
    use super::worlds::Worlds;

    /// Every block type: name, group, what it does, an example with its files, parameters.
    #[pyfunction]
    fn block_types(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
        catalog::types(py)
    }

    /// The ports of the example of a block type: whether an input, name, width, whether it may stay unconnected.
    #[pyfunction]
    fn ports_of_example(py: Python<'_>, type_name: &str) -> PyResult<Vec<(bool, String, usize, bool)>> {
        catalog::ports(py, type_name)
    }

    /// Names of the integrators, with what they are.
    #[pyfunction]
    fn integrators() -> Vec<(&'static str, &'static str)> {
        kinegraph::integrators::METHODS.iter().map(|method| (method.name, method.about)).collect()
    }

    /// A, B, C, D with names of states, inputs and outputs, and the blocks that cut paths.
    #[pyfunction(name = "linearize")]
    fn linearize_simulation<'py>(
        py: Python<'py>,
        simulation: PyRef<'_, Simulation>,
        ports: [Vec<String>; 3],
        is_sampled: bool,
        period: Option<f64>,
        contact: &str,
    ) -> PyResult<linearization::Linear<'py>> {
        let [inputs, cuts, outputs] = ports;
        let ports = kinegraph::linearize::LinearizePorts { inputs, cuts, outputs };
        linearization::of(py, &simulation, &ports, is_sampled.then_some(period), contact)
    }

    /// Derivatives of measures of the run of a file.
    #[pyfunction(name = "gradient")]
    fn gradient_of_file<'py>(
        py: Python<'py>,
        description: gradient::GradientDescription<'py>,
    ) -> PyResult<Bound<'py, PyDict>> {
        gradient::of(py, description)
    }

    /// A fit of numbers of a file to recordings; the report as JSON.
    #[pyfunction(name = "fit")]
    fn fit_of_file(py: Python<'_>, description: fit::FitDescription<'_>) -> PyResult<String> {
        fit::fit(py, description)
    }

    /// Knowledge that experiments would give; the report as JSON.
    #[pyfunction]
    fn plan_fit(py: Python<'_>, description: fit::PlanDescription<'_>) -> PyResult<String> {
        fit::plan(py, description)
    }

    /// Base parameters of an arm of a file from its torques; the report as JSON.
    #[pyfunction]
    fn fit_torques(py: Python<'_>, description: fit::ArmDescription<'_>) -> PyResult<String> {
        fit::arm(py, description)
    }

    /// The page of the run from `start` to where the simulation is.
    #[pyfunction(name = "page")]
    fn page_of_run(
        py: Python<'_>,
        simulation: PyRef<'_, Simulation>,
        diagram: PyRef<'_, Diagram>,
        start: PyRef<'_, PySnapshot>,
        every: f64,
        channels: Option<Vec<String>>,
    ) -> PyResult<String> {
        page::of(py, &simulation, &diagram, &start.0, every, channels)
    }
}
