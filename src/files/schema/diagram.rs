//! The file as a whole.

use super::controlled_outputs::{self, OutputAccuracy};
use super::exports::{self, ExportsSpec};
use super::fit::{self, FitSpec};
use super::gradient::{self, GradientSpec};
use super::record::{self, RecordSpec};
use super::requirements::{self, Asks, RequirementSpec};
use super::simulation::{self, SimulationSpec};
use super::system::{NamedSystem, System};
use super::view;
use super::wiring;
use crate::block_type::Surroundings;
use crate::catalog::Catalog;
use crate::connection::{Connection, ConnectionSpec};
use crate::decode::{Choice, NAME_RULE, POSITIVE, Text, is_name};
use crate::fault::FaultKind;
use crate::item::{Decode, Item, Path};
use crate::lists::{ListOf, MapOf, ScalarOrList};
use crate::loader::Loader;
use crate::names::Names;
use crate::node::{Node, Origin, Position, Value, shorten, show_number};
use crate::overrides::Deferred;
use crate::parameter::{Needs, Optional, WithDefault, needs, optional, with_default};
use crate::parameters::{FileParameter, PARAMETERS as PARAMETERS_KEY};
use crate::port_name::{self, PortName};
use crate::reader::Reader;
use crate::section::Section;
use crate::trim::{self, TrimSpec};
use kinegraph_core::Ports;
use kinegraph_engine::scene::View;
use std::collections::HashMap;
use std::path::Path as FilePath;

/// The format version this program reads.
pub const VERSION: u32 = 1;

/// Maximum number of samples of a run.
const MAX_SAMPLES: f64 = 1e8;

/// A diagram file: read, checked, and not yet built.
#[derive(Debug)]
pub struct DiagramFile {
    /// Name of the diagram; the file's name without extension where it states none.
    pub name: String,
    /// Its parameters, in the order of the file.
    pub parameters: Vec<FileParameter>,
    /// The blocks, in the order of the file.
    pub systems: Vec<NamedSystem>,
    /// The wires, in the order of the file.
    pub connections: Vec<ConnectionSpec>,
    /// Its ports as a block of another diagram.
    pub exports: ExportsSpec,
    /// True if algebraic loops are solved instead of being faults.
    pub solve_algebraic_loops: bool,
    /// Settings of the simulation.
    pub simulation: SimulationSpec,
    /// Settings of the recording.
    pub record: RecordSpec,
    /// Outputs under error control, each with the largest error of a step.
    pub accuracies: Vec<OutputAccuracy>,
    /// Requirements of runs, in the order of the file.
    pub requirements: Vec<RequirementSpec>,
    /// Derivatives of a run, if the file asks for some.
    pub gradient: Option<GradientSpec>,
    /// Fit to recordings, if the file asks for one.
    pub fit: Option<FitSpec>,
    /// Search for an equilibrium, if the file states it.
    pub trim: Option<TrimSpec>,
    /// View of the camera, if the file states it.
    pub view: Option<View>,
    /// True if the file is read as a block of other diagrams, which drive the inputs that it exports.
    pub is_part: bool,
    /// True if the recordings that a fit would read are checked too.
    pub checks_recordings: bool,
}

/// A diagram file as a block of another one; its settings of simulation and recording are ignored.
#[derive(Debug)]
pub struct NestedFile {
    /// Name of the diagram; the file's name without extension where it states none.
    pub name: String,
    trim: Option<TrimSpec>,
    graph: Graph,
}

/// Blocks, wires and exports of a diagram file.
#[derive(Clone, Copy, Debug)]
pub struct GraphSpec<'a> {
    /// Name of the diagram.
    pub name: &'a str,
    /// The blocks, in the order of the file.
    pub systems: &'a [NamedSystem],
    /// The wires, in the order of the file.
    pub connections: &'a [ConnectionSpec],
    /// The ports of the diagram.
    pub exports: &'a ExportsSpec,
    /// True if algebraic loops are solved instead of being faults.
    pub solve_algebraic_loops: bool,
    /// Outputs under error control; only the outermost file may have them.
    pub accuracies: &'a [OutputAccuracy],
    /// Search for an equilibrium, if the file states it.
    pub trim: Option<&'a TrimSpec>,
}

impl DiagramFile {
    /// Its blocks and wires.
    pub fn graph(&self) -> GraphSpec<'_> {
        let DiagramFile { name, systems, connections, exports, solve_algebraic_loops, accuracies, trim, .. } = self;
        let (solve_algebraic_loops, trim) = (*solve_algebraic_loops, trim.as_ref());
        GraphSpec { name, systems, connections, exports, solve_algebraic_loops, accuracies, trim }
    }
}

impl NestedFile {
    /// Its blocks and wires.
    pub fn graph(&self) -> GraphSpec<'_> {
        let Graph { systems, connections, exports, solve_algebraic_loops, .. } = &self.graph;
        let solve_algebraic_loops = *solve_algebraic_loops;
        let (name, trim) = (self.name.as_str(), self.trim.as_ref());
        GraphSpec { name, systems, connections, exports, solve_algebraic_loops, accuracies: &[], trim }
    }
}

/// Blocks, wires and exports as owned values.
#[derive(Debug)]
struct Graph {
    systems: Vec<NamedSystem>,
    connections: Vec<ConnectionSpec>,
    exports: ExportsSpec,
    solve_algebraic_loops: bool,
    /// True if the blocks themselves have no faults.
    systems_read_well: bool,
}

const FORMAT: Needs<Anything> = needs("kinegraph", Anything, "version of the format");
const NAME: Optional<Text> =
    optional("name", Text { about: "the name of the diagram" }, "the file's name", "name of the diagram in reports");
const MODEL_PATHS: Optional<ListOf<Text>> = optional(
    "model_paths",
    ListOf { each: Text { about: "the name of a folder" }, about: "a list of folders" },
    "none",
    "folders in which packages (`package://NAME/...`) are looked for first: each is a package, or holds packages; relative \
     to the diagram file",
);
const CONNECTIONS: Optional<ListOf<Connection>> = optional(
    "connections",
    ListOf { each: Connection, about: "a list of connections `block.output -> block.input`" },
    "none",
    "wires",
);
const EXPORTS: Optional<Section<ExportsSpec>> =
    optional("exports", exports::SECTION, "none", "ports of the diagram where it is a block of another");
const ALGEBRAIC_LOOPS: WithDefault<Choice<bool>> = with_default(
    "algebraic_loops",
    Choice { what: "treatment of algebraic loops", options: &[("report", false), ("solve", true)] },
    false,
    "whether a loop of direct feedthrough is a fault, or closed by Newton's method in every evaluation",
);
const PARAMETERS: Optional<Anything> = optional(
    PARAMETERS_KEY,
    Anything,
    "none",
    "numbers with names, which values of the file and formulas use as `$name`",
);
const SIMULATION: Needs<Section<SimulationSpec>> = needs("simulation", simulation::SECTION, "how to simulate");
const TRIM: Optional<Section<TrimSpec>> = optional(
    "trim",
    trim::SECTION,
    "to the nearest equilibrium, the inputs as they are",
    "search for an equilibrium, by `linearize --trim` and by blocks `lqr`",
);
const VIEW: Optional<Section<View>> =
    optional("view", view::SECTION, "so that all that moves is seen", "where to look from");
const OUTPUTS: Optional<Section<Vec<OutputAccuracy>>> = optional(
    "outputs",
    Section { about: "what is asked of outputs, such as `{accuracy: {controller.effort: 0.1}}`", read: read_outputs },
    "nothing",
    "what is asked of outputs",
);
const ACCURACY: Optional<MapOf<ScalarOrList>> = optional(
    "accuracy",
    MapOf { each: ScalarOrList(POSITIVE), about: "largest errors by output" },
    "none",
    "outputs under error control, each with the largest error of a step, in its unit",
);
const REQUIREMENTS: Optional<MapOf<Section<requirements::Asked>>> =
    optional("requirements", requirements::REQUIREMENTS, "none", "what is asked of a run, by name");
const GRADIENT: Optional<Section<GradientSpec>> =
    optional("gradient", gradient::SECTION, "none", "derivatives of a run, for `kinegraph gradient` and the page");
const FIT: Optional<Section<FitSpec>> =
    optional("fit", fit::SECTION, "none", "numbers that `kinegraph fit` finds from recordings");
const RECORD: Optional<Section<RecordSpec>> = optional("record", record::SECTION, "see there", "what to record");

/// Reads the whole tree; `None` only after a fault was recorded.
pub(crate) fn read(
    root: &Node,
    path: &FilePath,
    loader: &Loader,
    catalog: &Catalog,
    deferred: &[Deferred],
) -> Option<DiagramFile> {
    if !version_is_ours(root, loader) {
        return None;
    }
    let mut reader = Reader::new(Item { node: root, path: &Path::Root, loader, ranges: &[] })?;
    let r = &mut reader;
    let name = read_name(r, path);
    r.get(&PARAMETERS);
    read_model_paths(r, loader);
    let graph = read_graph(r, root, loader, System { catalog, deferred });
    let simulation = r.get(&SIMULATION);
    let record = r.get(&RECORD).unwrap_or_default();
    let accuracies = r.get(&OUTPUTS).unwrap_or_default();
    let asked = r.get(&REQUIREMENTS).unwrap_or_default();
    let requirements: Vec<_> = asked.into_iter().map(|one| one.value.named(one.name, one.at)).collect();
    let gradient = r.get(&GRADIENT);
    let fit = r.get(&FIT);
    let trim = r.get(&TRIM);
    let view = r.get(&VIEW);

    let names = system_names(root);
    if !names.is_empty() {
        let names: Names = names.iter().map(|(name, _)| *name).collect();
        for (at, channel) in &record.channels {
            // Names inside a nested diagram are checked when it is built.
            let block = channel.split(['.', '/']).next().unwrap_or(channel);
            names.check(block, "block", || "record.channels".into(), *at, loader);
        }
        if let Some(gradient) = &gradient {
            gradient.check(root, &names, loader);
        }
        if let Some(fit) = &fit {
            fit.check(root, &names, loader);
        }
        if let Some(trim) = &trim {
            trim.check(&names, loader);
        }
        // The name of an output is checked even if its accuracy is invalid.
        for (output, at) in controlled(root) {
            let block = output.split(['.', '/']).next().unwrap_or(output);
            names.check(block, "block", || "outputs.accuracy".into(), at, loader);
        }
    }
    if let Some(simulation) = &simulation {
        let samples = simulation.duration / record.every;
        if samples > MAX_SAMPLES {
            let message =
                format!("{} samples in one run; at most {MAX_SAMPLES:e} are recorded", show_number(samples.ceil()));
            loader.report(record.every_at, FaultKind::Conflict { path: "record.every".into(), message });
        }
    }
    check_requirements(&requirements, root, simulation.as_ref(), loader);
    reader.finish();
    let Graph { systems, connections, exports, solve_algebraic_loops, systems_read_well } = graph?;
    if systems_read_well && !loader.is_clean() {
        // Faults elsewhere do not hide faults within the blocks or in the names of their ports, so the blocks are
        // built.
        let alone = |system: &NamedSystem| system.nested.is_none() && system.spec.beside().is_none();
        let block = |system| if alone(system) { system.build(Surroundings::default(), loader) } else { None };
        let blocks: Vec<_> = systems.iter().map(block).collect();
        let mut named: Vec<(&str, Option<&Ports>)> = Vec::new();
        for (system, block) in systems.iter().zip(&blocks) {
            named.push((&system.name, block.as_ref().map(|block| block.ports())));
        }
        wiring::check(&connections, &named, loader);
        controlled_outputs::check(&accuracies, &named, loader);
    }
    let simulation = simulation?;
    let file = DiagramFile {
        name,
        parameters: Vec::new(),
        systems,
        connections,
        exports,
        solve_algebraic_loops,
        simulation,
        record,
        accuracies,
        requirements,
        gradient,
        fit,
        trim,
        view,
        is_part: false,
        checks_recordings: false,
    };
    Some(file)
}

fn read_outputs(r: &mut Reader<'_>) -> Option<Vec<OutputAccuracy>> {
    let given = r.get(&ACCURACY).unwrap_or_default().into_iter();
    Some(given.map(|one| OutputAccuracy { output: one.name, at: one.at, accuracy: one.value }).collect())
}

/// Checks that blocks whose channels are named exist, and that the run lasts as long as something is asked of it.
fn check_requirements(all: &[RequirementSpec], root: &Node, simulation: Option<&SimulationSpec>, loader: &Loader) {
    let names = system_names(root);
    let names: Names = names.iter().map(|(name, _)| *name).collect();
    for channel in all.iter().flat_map(RequirementSpec::channels) {
        let block = channel.name.split(['.', '/']).next().unwrap_or(&channel.name);
        names.check(block, "block", || channel.path.clone(), channel.at, loader);
    }
    let written = root.get("simulation").and_then(|all| all.get("duration")).map(|duration| duration.at.origin);
    let Some(simulation) = simulation.filter(|_| written != Some(Origin::Program)) else { return };
    // A run that is made shorter on the command line decides less.
    if matches!(written, Some(Origin::Override(_))) {
        return;
    }
    for one in all {
        let reaches = matches!(one.asks, Asks::Reaches { .. });
        let time = if reaches { one.until.unwrap_or(0.0) } else { one.from };
        if time > simulation.duration {
            let (time, end) = (show_number(time), show_number(simulation.duration));
            let message = format!("{time} s is after the end of the run, {end} s: the requirement is never decided");
            loader
                .report(one.at, FaultKind::Conflict { path: format!("requirements.{}", shorten(&one.name)), message });
        }
    }
}

/// Reads the tree of a nested file; its settings of simulation and recording are ignored.
pub(super) fn read_nested(root: &Node, path: &FilePath, loader: &Loader, each: System<'_>) -> Option<NestedFile> {
    if !version_is_ours(root, loader) {
        return None;
    }
    let mut reader = Reader::new(Item { node: root, path: &Path::Root, loader, ranges: &[] })?;
    let r = &mut reader;
    let name = read_name(r, path);
    r.get(&PARAMETERS);
    read_model_paths(r, loader);
    let graph = read_graph(r, root, loader, each);
    let trim = r.get(&TRIM);
    if let Some(trim) = &trim {
        let names = system_names(root);
        trim.check(&names.iter().map(|(name, _)| *name).collect(), loader);
    }
    r.get(&optional("simulation", Anything, "not read", "that of the outer file counts"));
    r.get(&optional("record", Anything, "not read", "that of the outer file counts"));
    r.get(&optional("outputs", Anything, "not read", "that of the outer file counts"));
    r.get(&optional("requirements", Anything, "not read", "those of the outer file count"));
    r.get(&optional("gradient", Anything, "not read", "that of the outer file counts"));
    r.get(&optional("fit", Anything, "not read", "that of the outer file counts"));
    r.get(&optional("view", Anything, "not read", "that of the outer file counts"));
    reader.finish();
    Some(NestedFile { name, trim, graph: graph? })
}

/// Name of the diagram, by default that of its file.
fn read_name(r: &mut Reader<'_>, path: &FilePath) -> String {
    r.get(&FORMAT);
    let of_file = || path.file_stem().map_or_else(|| "diagram".into(), |stem| stem.to_string_lossy().into_owned());
    r.get(&NAME).unwrap_or_else(of_file)
}

/// Reads `model_paths`, which must come before keys that name files.
fn read_model_paths(r: &mut Reader<'_>, loader: &Loader) {
    let paths = r.get(&MODEL_PATHS).unwrap_or_default();
    for path in &paths {
        if !loader.folder().join(path).is_dir() {
            r.wrong(MODEL_PATHS, "folders that exist", format!("`{}`", shorten(path)));
        }
    }
    loader.add_model_paths(paths.iter().map(|path| loader.folder().join(path)));
}

/// Reads blocks, wires and exports.
fn read_graph(r: &mut Reader<'_>, root: &Node, loader: &Loader, each: System<'_>) -> Option<Graph> {
    let systems = needs("systems", MapOf { each, about: "blocks by name" }, "blocks by name");
    let before = loader.count();
    let systems = r.get(&systems);
    let systems_read_well = loader.count() == before;
    let mut connections = r.get(&CONNECTIONS).unwrap_or_default();
    let exports = r.get(&EXPORTS).unwrap_or_default();
    let solve_algebraic_loops = r.get(&ALGEBRAIC_LOOPS);

    // Names of blocks with faults are known names, so that their wires are not a second fault.
    let names = system_names(root);
    for (name, at) in &names {
        if !is_block(name, root) {
            let found = format!("`{}`", shorten(name));
            loader.report(*at, FaultKind::Value { path: "systems".into(), expected: NAME_RULE.into(), found });
        }
    }
    if names.is_empty() && matches!(root.get("systems").map(|s| &s.value), Some(Value::Map(_))) {
        r.wrong("systems", "at least one block", "an empty map");
    }
    if !names.is_empty() {
        let names: Names = names.iter().map(|(name, _)| *name).collect();
        check_wires(&connections, &names, loader);
        exports.check(&names, loader);
    }
    let systems: Vec<_> = systems?.into_iter().map(|s| NamedSystem { at: s.at, ..s.value }).collect();
    // The signals of conditions are wires like others.
    let known: Names = names.iter().map(|(name, _)| *name).collect();
    for system in &systems {
        let Some(condition) = system.nested.as_ref().and_then(|nested| nested.condition.as_ref()) else { continue };
        let path = || format!("systems.{}.{}", system.name, condition.when.input());
        known.check(&condition.signal.block, "block", path, condition.at, loader);
        let to = PortName { block: system.name.clone(), port: condition.when.input().to_owned() };
        connections.push(ConnectionSpec { from: condition.signal.clone(), to, at: condition.at });
    }
    Some(Graph { systems, connections, exports, solve_algebraic_loops, systems_read_well })
}

/// Checks the format version in the first field; with another version, no other fault is worth reporting.
pub(crate) fn version_is_ours(root: &Node, loader: &Loader) -> bool {
    let (at, kind) = match &root.value {
        Value::Map(entries) => match entries.first() {
            Some(first) if first.key == "kinegraph" => match &first.node.value {
                Value::Number(x) if *x == f64::from(VERSION) => return true,
                Value::Text(text) => (first.node.at, version(format!("`{}`", shorten(text)))),
                other => (first.node.at, version(other.describe())),
            },
            Some(first) => (first.key_at, no_version(format!("begins with `{}`", shorten(&first.key)))),
            None => (root.at, no_version("is an empty map".into())),
        },
        Value::Null => (Position::start(), no_version("is empty".into())),
        other => (root.at, no_version(format!("is {}", other.describe()))),
    };
    loader.report(at, kind);
    false
}

/// True if `name` is that of a block: a plain name, or one that a repeated diagram gives its copies.
fn is_block(name: &str, root: &Node) -> bool {
    let is_copy = || root.get("systems").and_then(|all| all.get(name)).is_some_and(|node| node.get("repeat").is_some());
    is_name(name) || (port_name::is_block(name) && is_copy())
}

fn version(found: String) -> FaultKind {
    FaultKind::Version { found, supported: VERSION }
}

fn no_version(found: String) -> FaultKind {
    FaultKind::NoVersion { supported: VERSION, found }
}

/// Outputs under error control, and the place where each is named.
fn controlled(root: &Node) -> Vec<(&str, Position)> {
    keys(root.get("outputs").and_then(|outputs| outputs.get("accuracy")))
}

fn system_names(root: &Node) -> Vec<(&str, Position)> {
    keys(root.get("systems"))
}

fn keys(map: Option<&Node>) -> Vec<(&str, Position)> {
    match map.map(|map| &map.value) {
        Some(Value::Map(entries)) => entries.iter().map(|e| (e.key.as_str(), e.key_at)).collect(),
        _ => Vec::new(),
    }
}

/// Checks that wires connect blocks of the file, and that an input has one wire.
fn check_wires(connections: &[ConnectionSpec], names: &Names<'_>, loader: &Loader) {
    let mut driven = HashMap::new();
    for (i, wire) in connections.iter().enumerate() {
        let path = || format!("connections[{i}]");
        names.check(&wire.from.block, "block", path, wire.at, loader);
        // A wire that has the same unknown block at both ends is one fault.
        if wire.to.block != wire.from.block {
            names.check(&wire.to.block, "block", path, wire.at, loader);
        }
        if let Some(first) = driven.insert(&wire.to, wire) {
            let (path, line) = (path(), first.at.line);
            let message = format!("{path}: {} is driven by {} already (line {line})", wire.to, first.from);
            let help = "an input takes one wire: remove one of the two, or add them by a block of type `adder`, or \
                        choose between them by one of type `switch`";
            loader.report(wire.at, FaultKind::Wiring { message, help: Some(help.into()) });
        }
    }
}

/// Decoder of a value that was read already.
struct Anything;

impl Decode for Anything {
    type Output = ();
    fn expects(&self) -> String {
        format!("the format version {VERSION}")
    }
    fn decode(&self, _: Item<'_>) -> Option<()> {
        Some(())
    }
}
