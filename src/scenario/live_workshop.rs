//! Rebuilds blocks of a diagram file with other parameters during a run.

use kinegraph_core::ErasedSystem;
use kinegraph_diagram::Diagram;
use kinegraph_engine::simulate::Workshop;
use kinegraph_files::form::BlockSpec;
use kinegraph_files::{
    Catalog, GraphSpec, LiveNumber, LoadError, Loaded, Loader, NamedSystem, OperatorSignal, Override, Surroundings,
};
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
    fn rebuild(
        &mut self,
        diagram: &Diagram,
        path: &str,
        values: &[f64],
    ) -> Result<(String, Arc<dyn ErasedSystem>), String> {
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
            found.build(diagram).ok_or_else(|| loaded.failed().to_string())
        });
        built.map(|block| (name.to_owned(), block)).inspect_err(|_| self.undo())
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
        found.build(diagram).ok_or_else(|| loaded.failed().to_string())
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

    /// Builds the block. If it belongs to another block, that one is taken from `diagram`.
    fn build(&self, diagram: &Diagram) -> Option<Arc<dyn ErasedSystem>> {
        let around = Surroundings { trim: self.graph.trim, connections: self.graph.connections, beside: None };
        let Some((other, _)) = self.system.spec.beside() else { return self.system.build(around, self.loader) };
        let spec: &dyn BlockSpec = &*self.graph.systems.iter().find(|system| system.name == other)?.spec;
        let block = diagram.find_block(&format!("{}{other}", self.within)).ok()?;
        let beside = Some((&diagram.blocks()[block].system, spec));
        self.system.build(Surroundings { beside, ..around }, self.loader)
    }
}
