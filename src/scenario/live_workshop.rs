//! Rebuilds blocks of a diagram file with other parameters during a run.

use kinegraph_core::ErasedSystem;
use kinegraph_diagram::{Diagram, copies};
use kinegraph_engine::simulate::{NamedBlocks, Workshop};
use kinegraph_files::form::BlockSpec;
use kinegraph_files::{
    Catalog, GraphSpec, LiveNumber, LoadError, Loaded, Loader, NamedSystem, OperatorSignal, Override, Surroundings,
};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Reads a diagram file again whenever a parameter changes, and builds the block of that parameter.
#[derive(Clone)]
pub struct LiveWorkshop {
    catalog: Catalog,
    file: PathBuf,
    /// Text that replaces that of the file.
    text: Option<String>,
    /// Values that override those of the file.
    set: Vec<Override>,
    /// Values changed in the session, with the paths of their parameters.
    tuned: Vec<(String, Override)>,
    /// Index of the value in `tuned` that was written last, and its value before.
    last: Option<(usize, Option<Override>)>,
}

/// A parameter that may change while a run goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveParameter {
    /// Its path (`systems.controller.kp`).
    pub path: String,
    /// Its meaning, with its unit.
    pub about: String,
    /// Its values.
    pub values: Vec<f64>,
}

impl LiveWorkshop {
    /// Creates a workshop for the diagram file `file`, or for `text` in its place, with overrides `set`.
    pub fn new(catalog: &Catalog, file: impl Into<PathBuf>, text: Option<String>, set: Vec<Override>) -> Self {
        LiveWorkshop { catalog: catalog.clone(), file: file.into(), text, set, tuned: Vec::new(), last: None }
    }

    /// Discards the changes of the session and sets the overrides of the file to `set`.
    pub fn forget(&mut self, set: Vec<Override>) {
        self.set = set;
        self.tuned.clear();
        self.last = None;
    }

    /// Sets the value of the parameter at `path` in the session.
    fn tune(&mut self, path: &str, value: Override) {
        let at = self.tuned.iter().position(|(tuned, _)| tuned == path);
        self.last = Some(match at {
            Some(at) => (at, Some(std::mem::replace(&mut self.tuned[at].1, value))),
            None => {
                self.tuned.push((path.to_owned(), value));
                (self.tuned.len() - 1, None)
            }
        });
    }

    fn load_with(&self, more: &[Override]) -> Result<Loaded, LoadError> {
        let tuned = self.tuned.iter().map(|(_, value)| value);
        let set: Vec<Override> = self.set.iter().chain(tuned).chain(more).cloned().collect();
        match &self.text {
            Some(text) => self.catalog.load_str(&self.file, text, &set),
            None => self.catalog.load(&self.file, &set),
        }
    }

    /// Reads the file with all values applied.
    ///
    /// # Errors
    /// Its faults.
    pub fn load(&self) -> Result<Loaded, LoadError> {
        self.load_with(&[])
    }
}

/// A named state of a model that a run can be set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveKeyframe {
    /// Full name of the plant's block.
    pub plant: String,
    /// Name of the model.
    pub model: String,
    /// Name of the state.
    pub name: String,
}

/// A block that a person moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveOperator {
    /// Its full name.
    pub block: String,
    /// Its signals.
    pub signals: Vec<OperatorSignal>,
}

impl LiveKeyframe {
    /// Keyframes of all plants of a file.
    pub fn of(loaded: &Loaded) -> Vec<Self> {
        let mut found = Vec::new();
        each(loaded.diagram.graph(), &loaded.loader, "", &mut |name, system, loader| {
            let of_block = system.spec.keyframes(loader).into_iter();
            found.extend(of_block.map(|key| LiveKeyframe { plant: name.into(), model: key.model, name: key.name }));
        });
        found
    }
}

impl LiveOperator {
    /// Blocks of a file that a person operates.
    pub fn of(loaded: &Loaded) -> Vec<Self> {
        let mut found = Vec::new();
        each(loaded.diagram.graph(), &loaded.loader, "", &mut |name, system, _| {
            let signals = system.spec.operator().to_vec();
            found.extend((!signals.is_empty()).then(|| LiveOperator { block: name.into(), signals }));
        });
        found
    }
}

impl LiveParameter {
    /// Parameters of a file that may change during a run.
    pub fn of(loaded: &Loaded) -> Vec<Self> {
        let mut found = Vec::new();
        each(loaded.diagram.graph(), &loaded.loader, "", &mut |name, system, _| {
            found.extend(system.live.iter().map(|number| LiveParameter {
                path: format!("systems.{name}.{}", number.key),
                about: number.about.to_owned(),
                values: number.values.clone(),
            }));
        });
        found
    }
}

/// Beginning of the path of a parameter of the file.
const OF_FILE: &str = "parameters.";

impl LiveWorkshop {
    /// Sets the parameter `name` of the file, and builds the blocks that use it, as the option `--set` would.
    fn rebuild_users(&mut self, diagram: &Diagram, name: &str, values: &[f64]) -> Result<NamedBlocks, String> {
        let [value] = values else { return Err(format!("{} numbers for the parameter `{name}`", values.len())) };
        let path = format!("{OF_FILE}{name}");
        self.tune(&path, Override::set(&format!("{path}={value:?}"))?);
        let built = self.load().map_err(|error| error.to_string()).and_then(|loaded| {
            let users = users(&loaded, name)?;
            built_anew(&loaded, &users, diagram)
        });
        built.inspect_err(|_| self.undo())
    }
}

/// Keys under `systems` whose values need a parameter of the file, itself or by way of others.
fn users(loaded: &Loaded, name: &str) -> Result<HashSet<String>, String> {
    let all = &loaded.diagram.parameters;
    let (mut open, mut found) = (vec![name], HashSet::new());
    let mut seen: HashSet<&str> = HashSet::from([name]);
    while let Some(name) = open.pop() {
        let parameter = all.iter().find(|one| one.name == name);
        let parameter = parameter.ok_or_else(|| format!("there is no parameter `{name}`"))?;
        for path in &parameter.uses {
            let mut keys = path.split(['.', '[']);
            match (keys.next(), keys.next()) {
                (Some("parameters"), Some(other)) => {
                    let other = all.iter().find(|one| one.name == other);
                    open.extend(other.map(|one| one.name.as_str()).filter(|one| seen.insert(one)));
                }
                (Some("systems"), Some(system)) => drop(found.insert(system.to_owned())),
                _ => {}
            }
        }
    }
    Ok(found)
}

/// Builds the blocks of a file under these keys, and those that belong to one of them.
fn built_anew(loaded: &Loaded, keys: &HashSet<String>, diagram: &Diagram) -> Result<NamedBlocks, String> {
    let mut names = Vec::new();
    each(loaded.diagram.graph(), &loaded.loader, "", &mut |name, _, _| names.push(name.to_owned()));
    let is_user = |name: &str| {
        let first = name.split('/').next().unwrap_or(name);
        keys.contains(copies::split(first).map_or(first, |(all, _)| all))
    };
    let found: Vec<(String, Found<'_>)> =
        names.into_iter().filter_map(|name| Some((name.clone(), Found::of(loaded, &name)?))).collect();
    let (alone, beside): (Vec<_>, Vec<_>) = found.iter().partition(|(_, found)| found.plant().is_none());
    let mut built: Vec<(String, Arc<dyn ErasedSystem>)> = Vec::new();
    for (name, found) in alone.into_iter().chain(beside) {
        let of_user = || found.plant().is_some_and(|plant| built.iter().any(|(anew, _)| *anew == plant));
        if is_user(name) || of_user() {
            let block = found.build(diagram, &built).ok_or_else(|| loaded.failed().to_string())?;
            built.push((name.clone(), block));
        }
    }
    Ok(built)
}

/// Calls `see` with every block that is not a nested diagram, its full name, and the loader of its file.
fn each(graph: GraphSpec<'_>, loader: &Loader, within: &str, see: &mut dyn FnMut(&str, &NamedSystem, &Loader)) {
    for system in graph.systems {
        let name = format!("{within}{}", system.name);
        match &system.nested {
            Some(nested) => each(nested.graph(), &nested.loader, &format!("{name}/"), see),
            None => see(&name, system, loader),
        }
    }
}

impl Workshop for LiveWorkshop {
    fn rebuild(&mut self, diagram: &Diagram, path: &str, values: &[f64]) -> Result<NamedBlocks, String> {
        if let Some(name) = path.strip_prefix(OF_FILE) {
            return self.rebuild_users(diagram, name, values);
        }
        let loaded = self.load().map_err(|error| error.to_string())?;
        let (name, key) = path
            .strip_prefix("systems.")
            .and_then(|path| path.split_once('.'))
            .ok_or_else(|| format!("`{path}` is no parameter of a block"))?;
        let number = Found::of(&loaded, name)
            .and_then(|found| found.system.live.iter().find(|number| number.key == key))
            .ok_or_else(|| format!("`{path}` is no number that may change while the run goes on"))?;
        let value = Override::set(&assignment(path, number, values)?)?;
        self.tune(path, value);
        let built = self.load().map_err(|error| error.to_string()).and_then(|loaded| {
            let found = Found::of(&loaded, name).ok_or_else(|| format!("there is no block `{name}`"))?;
            found.build(diagram, &[]).ok_or_else(|| loaded.failed().to_string())
        });
        built.map(|block| vec![(name.to_owned(), block)]).inspect_err(|_| self.undo())
    }

    fn at_keyframe(
        &mut self,
        diagram: &Diagram,
        plant: &str,
        model: &str,
        keyframe: &str,
    ) -> Result<Arc<dyn ErasedSystem>, String> {
        let loaded = self.load().map_err(|error| error.to_string())?;
        let known = LiveKeyframe { plant: plant.to_owned(), model: model.to_owned(), name: keyframe.to_owned() };
        if !LiveKeyframe::of(&loaded).contains(&known) {
            return Err(format!("`{model}` of `{plant}` has no keyframe `{keyframe}`"));
        }
        // Initial values of single joints in the file do not apply to the keyframe.
        let set =
            [format!("systems.{plant}.models.{model}.keyframe={keyframe:?}"), format!("systems.{plant}.initial={{}}")];
        let set = [Override::set(&set[0])?, Override::set(&set[1])?];
        let loaded = self.load_with(&set).map_err(|error| error.to_string())?;
        let found = Found::of(&loaded, plant).ok_or_else(|| format!("there is no block `{plant}`"))?;
        found.build(diagram, &[]).ok_or_else(|| loaded.failed().to_string())
    }

    fn undo(&mut self) {
        match self.last.take() {
            Some((at, Some(value))) => self.tuned[at].1 = value,
            Some((_, None)) => drop(self.tuned.pop()),
            None => {}
        }
    }
}

/// Assignment of the values, as written in a file.
fn assignment(path: &str, number: &LiveNumber, values: &[f64]) -> Result<String, String> {
    match (values, number.is_list) {
        ([value], false) => Ok(format!("{path}={value:?}")),
        _ if number.is_list && values.len() == number.values.len() => Ok(format!("{path}={values:?}")),
        _ => Err(format!("{} numbers for `{path}`, expected {}", values.len(), number.values.len())),
    }
}

/// A block of a file.
struct Found<'a> {
    system: &'a NamedSystem,
    /// Its file, and the loader that collects the faults of that file.
    graph: GraphSpec<'a>,
    loader: &'a Loader,
    /// Full name of the diagram that contains it, followed by a slash.
    within: String,
}

impl<'a> Found<'a> {
    /// Finds the block with this full name.
    fn of(loaded: &'a Loaded, name: &str) -> Option<Self> {
        let (mut graph, mut loader) = (loaded.diagram.graph(), &loaded.loader);
        let mut within = String::new();
        let mut parts = name.split('/').peekable();
        loop {
            let part = parts.next()?;
            let system = graph.systems.iter().find(|system| system.name == part)?;
            if parts.peek().is_none() {
                return Some(Found { system, graph, loader, within });
            }
            let nested = system.nested.as_ref()?;
            (graph, loader) = (nested.graph(), &nested.loader);
            within = format!("{within}{part}/");
        }
    }

    /// Builds the block. If it belongs to another block, that one is taken from those `built` anew, or from `diagram`.
    fn build(&self, diagram: &Diagram, built: &[(String, Arc<dyn ErasedSystem>)]) -> Option<Arc<dyn ErasedSystem>> {
        let around = Surroundings { trim: self.graph.trim, connections: self.graph.connections, beside: None };
        let Some(name) = self.plant() else { return self.system.build(around, self.loader) };
        let (other, _) = self.system.spec.beside()?;
        let spec: &dyn BlockSpec = &*self.graph.systems.iter().find(|system| system.name == other)?.spec;
        let block = match built.iter().find(|(anew, _)| *anew == name) {
            Some((_, block)) => block,
            None => &diagram.blocks()[diagram.find_block(&name).ok()?].system,
        };
        self.system.build(Surroundings { beside: Some((block, spec)), ..around }, self.loader)
    }

    /// Full name of the block that it belongs to, if it belongs to one.
    fn plant(&self) -> Option<String> {
        self.system.spec.beside().map(|(other, _)| format!("{}{other}", self.within))
    }
}
