//! The ports of a file's blocks, as `check --ports` lists them: those of a built diagram with their sources, or, while
//! the file has faults, those of the blocks that could be built.

use super::Scenario;
use super::assemble::{self, Part};
use kinegraph_core::Ports;
use kinegraph_diagram::Source;
use kinegraph_files::{Catalog, LoadError, ModelDiagram, Override};
use std::borrow::Cow;
use std::path::Path;

impl Scenario {
    /// Lists every port, as `in plant.arm.actuation [2] in N m <- controller.force (joint1, joint2)`: direction, path,
    /// width, units, the source of an input, and the order of its numbers where they have names. Ports without numbers
    /// (the actuation of a box) are left out.
    pub fn ports(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let blocks = self.diagram.blocks();
        for block in blocks {
            let source = |input: usize| match block.sources[input] {
                Source::Unconnected => " <- not connected".into(),
                Source::Fixed => " <- a fixed value".into(),
                Source::Output { block, port } => {
                    let from = &blocks[block];
                    format!(" <- {}.{}", from.name, from.system.ports().outputs()[port].name)
                }
            };
            let unit = |output: usize, place: usize| {
                let declared = block.system.ports().outputs()[output].unit(place);
                self.diagram.unit_name(block.outputs[output].start + place, declared)
            };
            lines_of(&block.name, block.system.ports(), source, unit, &mut lines);
        }
        lines
    }
}

/// Ports of the blocks of the file at `path` that can be built, whatever other faults it has; none if it cannot be read
/// at all.
pub fn ports_of_blocks(catalog: &Catalog, path: &Path, overrides: &[Override]) -> Vec<String> {
    let Ok(loaded) = catalog.load(path, overrides) else { return Vec::new() };
    let parts = assemble::parts(loaded.diagram.graph(), &loaded.loader);
    let mut lines = Vec::new();
    for (system, part) in loaded.diagram.systems.iter().zip(&parts) {
        if let Some(ports) = part.as_ref().map(Part::ports) {
            let unit = |output: usize, place: usize| Cow::Borrowed(ports.outputs()[output].unit(place));
            lines_of(&system.name, ports, |_| String::new(), unit, &mut lines);
        }
    }
    lines
}

/// Lines of one block; `source` returns the source of an input, `unit` the unit of a number of an output.
fn lines_of(
    block: &str,
    ports: &Ports,
    source: impl Fn(usize) -> String,
    unit: impl Fn(usize, usize) -> Cow<'static, str>,
    lines: &mut Vec<String>,
) {
    for (i, port) in ports.inputs().iter().enumerate().filter(|(_, port)| port.width > 0) {
        let order = order(&port.elements, &port.name);
        let units = units((0..port.width).map(|place| Cow::Borrowed(port.unit(place))));
        lines.push(format!("in  {block}.{} [{}]{units}{}{order}", port.name, port.width, source(i)));
    }
    for (i, port) in ports.outputs().iter().enumerate().filter(|(_, port)| port.width > 0) {
        let order = order(&port.elements, &port.name);
        let units = units((0..port.width).map(|place| unit(i, place)));
        lines.push(format!("out {block}.{} [{}]{units}{order}", port.name, port.width));
    }
}

/// Units of the numbers of a port, each once: ` in rad, rad/s`; empty if none is known.
fn units(all: impl Iterator<Item = Cow<'static, str>>) -> String {
    let mut found: Vec<Cow<'static, str>> = Vec::new();
    for unit in all.filter(|unit| !unit.is_empty()) {
        if !found.contains(&unit) {
            found.push(unit);
        }
    }
    if found.is_empty() { String::new() } else { format!(" in {}", found.join(", ")) }
}

/// Names of the numbers of a port, in their order, without the model's name, which the port has already. Empty for more
/// than 100 names, or where names have more than three parts.
fn order(elements: &[String], port: &str) -> String {
    const MAX_LISTED: usize = 100;
    if elements.is_empty() || elements.len() > MAX_LISTED || elements.iter().any(|name| name.matches('.').count() > 2) {
        return String::new();
    }
    let model = port.split_once('.').map(|(model, _)| format!("{model}."));
    let short = |name: &String| model.as_ref().and_then(|m| name.strip_prefix(m.as_str())).unwrap_or(name).to_owned();
    format!(" ({})", elements.iter().map(short).collect::<Vec<_>>().join(", "))
}

/// Names of the numbers of a model's actuation, in their order.
///
/// # Errors
/// All faults of the plant with that model.
pub fn actuators_of(catalog: &Catalog, diagram: &ModelDiagram) -> Result<Vec<String>, LoadError> {
    let loaded = diagram.load(catalog, &[])?;
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed())?;
    let port = format!("{}.actuation", diagram.name);
    let found = scenario
        .diagram
        .blocks()
        .iter()
        .find_map(|block| block.system.ports().inputs().iter().find(|input| input.name == port));
    let own = format!("{}.", diagram.name);
    Ok(found.map_or(Vec::new(), |port| {
        let name = |i: usize| port.elements.get(i).map_or_else(|| i.to_string(), |name| name.clone());
        (0..port.width).map(name).map(|name| name.strip_prefix(&own).map(str::to_owned).unwrap_or(name)).collect()
    }))
}
