//! Diagrams: read from a file, or described by a program.

use crate::{convert, errors, failure, python_type};
use kinegraph::diagram::Channel;
use kinegraph::files::{FileParameter, LoadError, Loaded, Override};
use kinegraph::scene::View;
use kinegraph::simulate::Scenario;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::path::Path;

/// Blocks and wires that make a diagram, with the integrator, the duration and the channels that its file asks for.
#[pyclass(module = "kinegraph._kinegraph", subclass, frozen)]
pub struct Diagram {
    /// Scenario to run.
    pub scenario: Scenario,
    /// View of the camera, if the file states it.
    pub view: Option<View>,
    /// True if some blocks are written in Python.
    pub has_objects: bool,
    notes: Vec<String>,
    parameters: Vec<FileParameter>,
}

#[pymethods]
impl Diagram {
    /// The diagram of the file `source`, or of the description `source` that a program made; `set` replaces values of
    /// it, `objects` are the blocks of Python that it numbers.
    #[new]
    #[pyo3(signature = (source, folder, set, objects))]
    fn new(
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        folder: &str,
        set: Vec<(String, Bound<'_, PyAny>)>,
        objects: Vec<Py<PyAny>>,
    ) -> PyResult<Self> {
        let one = |(path, value): &(String, Bound<'_, PyAny>)| {
            let value = convert::yaml(&convert::node(value)?);
            Ok(Override::flag(&format!("set {path} ="), path, &value))
        };
        let overrides = set.iter().map(one).collect::<PyResult<Vec<Override>>>()?;
        if set.iter().any(|(path, _)| path.split('.').any(str::is_empty)) {
            return Err(PyValueError::new_err("`set` has dotted paths as keys, like systems.controller.kp"));
        }
        let tree = match source.extract::<String>() {
            Ok(_) => None,
            Err(_) => Some(convert::node(source)?),
        };
        let read = || -> Result<(Scenario, Loaded), LoadError> {
            let catalog = python_type::catalog();
            let loaded = match tree {
                Some(tree) => catalog.load_tree(tree, Path::new(folder), &overrides)?,
                None => catalog.load(Path::new(&source.extract::<String>().unwrap_or_default()), &overrides)?,
            };
            let scenario = Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed())?;
            Ok((scenario, loaded))
        };
        let has_objects = !objects.is_empty();
        let built = failure::guarded(|| Ok(python_type::with_objects(objects, read)))?;
        let (scenario, loaded) = built.map_err(|error| errors::faults(py, &error.faults))?;
        let notes = loaded.loader.take_notes().iter().map(ToString::to_string).collect();
        let (view, parameters) = (loaded.diagram.view, loaded.diagram.parameters);
        Ok(Diagram { scenario, view, has_objects, notes, parameters })
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.scenario.diagram.name()
    }

    /// The parameters of the file by name, each with its value in SI units, its unit, range, meaning, formula, and the
    /// paths of the values that use it.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for one in &self.parameters {
            let entry = PyDict::new(py);
            entry.set_item("value", one.value)?;
            entry.set_item("unit", &one.unit)?;
            entry.set_item("range", one.range.map(|[low, high]| (low, high)))?;
            entry.set_item("about", &one.about)?;
            entry.set_item("formula", one.formula.as_deref())?;
            entry.set_item("used", &one.uses)?;
            all.set_item(&one.name, entry)?;
        }
        Ok(all)
    }

    /// How long the file asks to simulate [s].
    #[getter]
    fn duration(&self) -> f64 {
        self.scenario.duration
    }

    /// Time between recorded samples that the file asks for [s].
    #[getter]
    fn every(&self) -> f64 {
        self.scenario.every
    }

    /// True if the file asks for two samples at each event.
    #[getter]
    fn events(&self) -> bool {
        self.scenario.events
    }

    /// Name of the integrator that the file asks for.
    #[getter]
    fn integrator(&self) -> &str {
        self.scenario.options.integrator.name
    }

    /// Names of all blocks, those of nested diagrams included.
    #[getter]
    fn blocks(&self) -> Vec<&str> {
        self.scenario.diagram.blocks().iter().map(|block| block.name.as_str()).collect()
    }

    /// Every port with its width, and what drives the inputs; one line each.
    #[getter]
    fn ports(&self) -> Vec<String> {
        self.scenario.ports()
    }

    /// Names of all numbers of all outputs.
    #[getter]
    fn channels(&self) -> Vec<String> {
        self.scenario.diagram.channels().into_iter().map(|channel| channel.name).collect()
    }

    /// Units of all numbers of all outputs by their names, as far as they are known: `N m`, `rad/s`.
    #[getter]
    fn units(&self) -> HashMap<String, String> {
        let channels = self.scenario.diagram.channels().into_iter().filter(|channel| !channel.unit.is_empty());
        channels.map(|channel| (channel.name, channel.unit.into_owned())).collect()
    }

    /// Names of the numbers that are recorded unless others are asked for.
    #[getter]
    fn recorded(&self) -> Vec<&str> {
        self.scenario.channels.iter().map(|channel| channel.name.as_str()).collect()
    }

    /// Names of the continuous states.
    #[getter]
    fn state_names(&self) -> Vec<String> {
        self.scenario.diagram.state_names()
    }

    /// Names of the discrete states.
    #[getter]
    fn discrete_names(&self) -> Vec<String> {
        self.scenario.diagram.discrete_names()
    }

    /// Notes on the model files: on parts that are ignored, assumed or suspicious.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The picture of blocks and wires.
    fn to_svg(&self) -> String {
        self.scenario.diagram.to_svg()
    }

    /// The picture as Graphviz source.
    fn to_dot(&self) -> String {
        self.scenario.diagram.to_dot()
    }
}

/// Channels with these names, each once; without names, the channels that the file records.
pub fn channels(py: Python<'_>, scenario: &Scenario, names: Option<Vec<String>>) -> PyResult<Vec<Channel>> {
    let Some(names) = names else { return Ok(scenario.channels.clone()) };
    let mut all: Vec<Channel> = Vec::new();
    for name in names {
        for channel in scenario.diagram.find_channels(&name).map_err(|error| errors::name(py, error))? {
            if !all.contains(&channel) {
                all.push(channel);
            }
        }
    }
    Ok(all)
}
