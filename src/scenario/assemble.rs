//! Builds a diagram from its description: blocks built, diagrams nested, wires checked, faults at their lines.

use super::advice;
use kinegraph_core::{ErasedSystem, Ports};
use kinegraph_diagram::{BuildError, Diagram, DiagramBuilder, Fact, Obstacle};
use kinegraph_files::form::BlockSpec;
use kinegraph_files::names::unknown;
use kinegraph_files::{
    ExportSpec, FaultKind, GraphSpec, Loader, NamedSystem, Nested, OutputAccuracy, PortName, Surroundings,
    controlled_outputs, wiring,
};
use std::collections::HashSet;
use std::sync::Arc;

/// One entry of `systems`, built.
pub(super) enum Part {
    /// A block.
    Block(Arc<dyn ErasedSystem>),
    /// A nested diagram, and the ports that it exports.
    Diagram(Box<DiagramBuilder>, Ports),
}

impl Part {
    /// The ports that wires of the file may lead to.
    pub fn ports(&self) -> &Ports {
        match self {
            Part::Block(block) => block.ports(),
            Part::Diagram(_, ports) => ports,
        }
    }
}

/// Blocks of a file in its order; `None` for one that could not be built, whose faults were recorded.
pub(super) fn parts(graph: GraphSpec<'_>, loader: &Loader) -> Vec<Option<Part>> {
    let part = |nested: &Nested, path: &str| {
        let (graph, inner) = (nested.graph(), &nested.loader);
        let mut builder = builder(graph, parts(graph, inner), inner)?;
        if let Some(condition) = &nested.condition
            && let Err(obstacles) = builder.run_when(condition.when)
        {
            let path = format!("{path}.{}", condition.when.input());
            for Obstacle { path: block, reason } in obstacles {
                let message = format!("`{block}` {reason}");
                loader.report(condition.at, FaultKind::Build { path: path.clone(), message });
            }
            return None;
        }
        let ports = builder.interface();
        Some(Part::Diagram(Box::new(builder), ports))
    };
    let (trim, connections) = (graph.trim, graph.connections);
    let build = |system: &NamedSystem, beside: Option<(&Arc<dyn ErasedSystem>, &dyn BlockSpec)>| match &system.nested {
        Some(_) if system.derivatives.is_some() => {
            let path = format!("systems.{}", system.name);
            let message = "`derivatives` is said of each block, in the file of the nested diagram".into();
            loader.report(system.at, FaultKind::Build { path, message });
            None
        }
        Some(_) if system.units.is_some() => {
            let path = format!("systems.{}", system.name);
            let message = "`unit` is said of each block, in the file of the nested diagram".into();
            loader.report(system.at, FaultKind::Build { path, message });
            None
        }
        Some(nested) => part(nested, &format!("systems.{}", system.name)),
        None => system.build(Surroundings { beside, trim, connections }, loader).map(Part::Block),
    };
    // Blocks that are made for another one come after it.
    let alone = |system: &NamedSystem| if system.spec.beside().is_none() { build(system, None) } else { None };
    let mut parts: Vec<Option<Part>> = graph.systems.iter().map(alone).collect();
    for (i, system) in graph.systems.iter().enumerate() {
        let Some((name, at)) = system.spec.beside() else { continue };
        let Some(other) = graph.systems.iter().position(|other| other.name == name && other.spec.beside().is_none())
        else {
            let others = graph.systems.iter().filter(|other| other.spec.beside().is_none());
            let names = others.map(|other| other.name.as_str());
            loader.report(at, unknown(name, "block", format!("systems.{}", system.name), names, loader));
            continue;
        };
        let built = match &parts[other] {
            Some(Part::Block(block)) => build(system, Some((block, &*graph.systems[other].spec))),
            Some(Part::Diagram(..)) => {
                let (path, message) = (format!("systems.{}", system.name), format!("`{name}` is a diagram"));
                loader.report(at, FaultKind::Conflict { path, message });
                None
            }
            // Its faults were recorded.
            None => None,
        };
        parts[i] = built;
    }
    parts
}

/// Builds the diagram that a file describes; `None` after faults were recorded. If it `is_part` of others, the inputs
/// that it exports are set to zero.
pub(super) fn diagram(
    graph: GraphSpec<'_>,
    parts: Vec<Option<Part>>,
    loader: &Loader,
    is_part: bool,
) -> Option<Diagram> {
    let Draft { mut builder, lost } = draft(graph, parts, loader)?;
    if is_part {
        for (input, width) in left_to_others(graph, &builder) {
            builder.fix_path(input, vec![0.0; width]);
        }
    }
    let is_whole = lost.is_empty();
    // An input left undriven by a faulty wire is not a second fault.
    let lost: HashSet<String> = lost.into_iter().collect();
    let is_lost = |error: &BuildError| error.paths().iter().any(|path| lost.contains(*path));
    let is_news = |error: &BuildError| match error {
        BuildError::Unconnected { .. } => !is_lost(error),
        // The check of the wires has reported it at its line.
        BuildError::PartsUnconnected { .. } => loader.is_clean(),
        _ => true,
    };
    match builder.build() {
        Ok(diagram) => is_whole.then_some(diagram),
        Err(errors) => {
            for error in errors.0.iter().filter(|error| is_news(error)) {
                // Beyond the limit of listed faults only their count matters, not their places.
                if loader.is_full() {
                    loader.report_whole(FaultKind::More { count: 1 });
                } else {
                    report(graph, loader, error);
                }
            }
            None
        }
    }
}

/// Inputs that a file exports and does not drive, with their widths.
fn left_to_others(graph: GraphSpec<'_>, builder: &DiagramBuilder) -> Vec<(String, usize)> {
    let ports = builder.interface();
    let drives = |port: &PortName| graph.connections.iter().any(|wire| whole(&wire.to) == port.to_string());
    let mut found = Vec::new();
    for port in ports.inputs().iter().filter(|port| !port.optional) {
        let behind = graph.exports.find(&port.name).map_or(&[][..], |export| &export.ports);
        let open = behind.iter().filter(|(_, inner)| !drives(inner));
        found.extend(open.map(|(_, inner)| (inner.to_string(), port.width)));
    }
    found
}

/// Builder with blocks, wires and exports of a nested file; `None` after faults were recorded.
fn builder(graph: GraphSpec<'_>, parts: Vec<Option<Part>>, loader: &Loader) -> Option<DiagramBuilder> {
    let Draft { builder, lost } = draft(graph, parts, loader)?;
    lost.is_empty().then_some(builder)
}

/// A diagram without its faulty wires.
struct Draft {
    builder: DiagramBuilder,
    /// Inputs that the faulty wires lead to.
    lost: Vec<String>,
}

/// Blocks, wires and exports of a file; `None` where a block or an exported port is missing: every further fault would
/// be a consequence.
fn draft(graph: GraphSpec<'_>, parts: Vec<Option<Part>>, loader: &Loader) -> Option<Draft> {
    let names = graph.systems.iter().map(|system| system.name.as_str());
    let ports: Vec<(&str, Option<&Ports>)> =
        names.zip(&parts).map(|(name, part)| (name, part.as_ref().map(Part::ports))).collect();
    let wires = wiring::check(graph.connections, &ports, loader);
    let exported = check_exports(graph, &ports, loader) & controlled_outputs::check(graph.accuracies, &ports, loader);
    if parts.iter().any(Option::is_none) || !exported {
        return None;
    }
    let mut builder = DiagramBuilder::new(graph.name);
    if graph.solve_algebraic_loops {
        builder.solve_algebraic_loops();
    }
    for (system, part) in graph.systems.iter().zip(parts) {
        match part? {
            Part::Block(block) => {
                builder.add_erased(&system.name, block);
                let within = |fact: &Fact| Fact(format!("{}.{}", system.name, fact.0), fact.1.clone());
                builder.describe(&system.name, system.described.iter().map(within));
                if let Some(units) = &system.units {
                    builder.state_units(&system.name, units.clone());
                }
            }
            Part::Diagram(inner, _) => builder.nest(&system.name, *inner),
        }
    }
    let mut lost = Vec::new();
    for (connection, wire) in graph.connections.iter().zip(wires) {
        match wire {
            true => builder.connect_paths(connection.from.to_string(), connection.to.to_string()),
            false => lost.push(whole(&connection.to)),
        }
    }
    let inside = |export: &ExportSpec| -> Vec<String> { export.ports.iter().map(|(_, p)| p.to_string()).collect() };
    for export in &graph.exports.inputs {
        inside(export).into_iter().for_each(|port| builder.export_input_path(&export.name, port));
    }
    for export in &graph.exports.outputs {
        inside(export).into_iter().for_each(|port| builder.export_output_path(&export.name, port));
    }
    for OutputAccuracy { output, accuracy, .. } in graph.accuracies {
        builder.control_output(output, accuracy.clone());
    }
    Some(Draft { builder, lost })
}

/// Input that a wire leads to, without its parts.
fn whole(to: &PortName) -> String {
    let port = to.port.split('[').next().unwrap_or(&to.port);
    format!("{}.{port}", to.block)
}

/// Checks that every exported port exists, as far as its block could be built.
fn check_exports(graph: GraphSpec<'_>, blocks: &[(&str, Option<&Ports>)], loader: &Loader) -> bool {
    let mut known = true;
    let mut check = |exports: &[ExportSpec], side: &str, names: fn(&Ports) -> Vec<&str>| {
        for (at, port) in exports.iter().flat_map(|export| &export.ports) {
            let block = blocks.iter().find(|(name, _)| *name == port.block);
            let Some(ports) = block.and_then(|(_, ports)| *ports) else { continue };
            let valid = names(ports);
            if !valid.contains(&port.port.as_str()) {
                let what = format!("{side} of {}", port.block);
                loader.report(*at, unknown(&port.port, &what, "exports".into(), valid.iter().copied(), loader));
                known = false;
            }
        }
    };
    check(&graph.exports.inputs, "input", |ports| ports.inputs().iter().map(|port| port.name.as_str()).collect());
    check(&graph.exports.outputs, "output", |ports| ports.outputs().iter().map(|port| port.name.as_str()).collect());
    known
}

/// Records a fault of the build at the line it is about, in the file with that line.
fn report<'a>(mut graph: GraphSpec<'a>, mut loader: &'a Loader, error: &BuildError) {
    let mut paths: Vec<String> = error.paths().into_iter().map(str::to_owned).collect();
    let message = error.statement();
    let mut nested = false;
    // A fault within one nested diagram, or in its exports, belongs to the file of that diagram.
    while let Some(system) = graph.systems.iter().find(|system| holds(&system.name, &paths, is_of_export(error)))
        && let Some(inner) = &system.nested
    {
        let within = system.name.len() + 1;
        paths.iter_mut().for_each(|path| *path = path[within..].to_owned());
        (graph, loader) = (inner.graph(), &inner.loader);
        nested = true;
    }
    let named = |path: String| paths.contains(&path);
    let wire = graph.connections.iter().find(|c| named(c.to.to_string()) && named(c.from.to_string()));
    let first = paths.first().map_or("", String::as_str);
    let block = first.split(['.', '/']).next().unwrap_or("");
    let system = || graph.systems.iter().find(|system| system.name == block).map(|system| system.at);
    let export = || graph.exports.find(first).map(|export| export.at);
    let kind = FaultKind::Wiring {
        message,
        help: advice::for_file(error, &paths, (!nested).then_some(graph.exports).and_then(|e| e.find(first)), nested),
    };
    match wire.map(|wire| wire.at).or_else(system).or_else(export) {
        Some(at) => loader.report(at, kind),
        None => loader.report_whole(kind),
    }
}

/// True if all paths lie within the nested diagram `name`, or name its own exports.
fn holds(name: &str, paths: &[String], exports: bool) -> bool {
    let within = |path: &String| {
        let rest = path.strip_prefix(name).and_then(|rest| rest.chars().next());
        rest == Some('/') || (exports && rest == Some('.'))
    };
    !paths.is_empty() && paths.iter().all(within)
}

fn is_of_export(error: &BuildError) -> bool {
    use BuildError::{DuplicateExport, Export, ExportWidths, ExportedTwice};
    matches!(error, Export { .. } | DuplicateExport { .. } | ExportWidths { .. } | ExportedTwice { .. })
}
