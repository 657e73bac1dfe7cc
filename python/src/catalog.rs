//! Catalog of block types, from which Python makes its classes.

use crate::errors;
use kinegraph::diagram::Side;
use kinegraph::files::{BlockType, Catalog, IfMissing, Parameter};
use kinegraph::simulate::ports_of_example;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Every block type: name, group, description, an example with the files it names, parameters.
pub fn types(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    Catalog::standard().types().iter().map(|block| of_type(py, block)).collect()
}

fn of_type<'py>(py: Python<'py>, block: &BlockType) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("name", block.name)?;
    facts.set_item("group", block.group.title())?;
    facts.set_item("about", block.about)?;
    facts.set_item("example", block.example)?;
    facts.set_item("files", block.files.to_vec())?;
    facts.set_item("parameters", parameters(py, &block.parameters())?)?;
    Ok(facts)
}

fn parameters<'py>(py: Python<'py>, all: &[Parameter]) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let of = |parameter: &Parameter| {
        let facts = PyDict::new(py);
        facts.set_item("key", parameter.key)?;
        facts.set_item("required", parameter.if_missing == IfMissing::Required)?;
        let default = match &parameter.if_missing {
            IfMissing::Required => None,
            IfMissing::Value(value) => Some(value.as_str()),
            IfMissing::Words(words) => Some(*words),
        };
        facts.set_item("default", default)?;
        facts.set_item("expects", &parameter.expects)?;
        facts.set_item("about", parameter.about)?;
        facts.set_item("keys", parameters(py, &parameter.keys)?)?;
        Ok(facts)
    };
    all.iter().map(of).collect()
}

/// Ports of the example of a type: true for inputs, name, width, true if optional.
pub fn ports(py: Python<'_>, type_name: &str) -> PyResult<Vec<(bool, String, usize, bool)>> {
    let catalog = Catalog::standard();
    let block =
        catalog.get(type_name).ok_or_else(|| errors::name(py, format!("there is no block type `{type_name}`")))?;
    let ports = ports_of_example(block, &catalog).map_err(|error| errors::faults(py, &error.faults))?;
    Ok(ports.into_iter().map(|port| (port.side == Side::Input, port.name, port.width, port.optional)).collect())
}
