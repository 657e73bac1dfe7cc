//! What reading a diagram file needs besides the tree: where the file lies, and where faults are collected.

use super::fault::{FaultKind, FileFault, FileFaults};
use super::nested;
use super::node::{Origin, Position};
use super::overrides::Override;
use super::registry::ExampleFile;
use kinegraph_systems::models;
use kinegraph_systems::multibody::Model;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most faults that are listed: nobody reads more, and a hostile file must not fill the memory.
const MOST_FAULTS: usize = 200;

/// Most notes that are kept.
const MOST_NOTES: usize = 10_000;

/// The surroundings of a diagram file while it is read.
#[derive(Debug)]
pub struct Loader {
    name: String,
    folder: PathBuf,
    /// What stood on the command line, by [`Origin::Override`].
    overrides: Vec<String>,
    /// Overrides of values of the files that this one nests, by the block that nests it.
    deferred: Vec<(String, Override)>,
    /// Files that are not on the disk: those of an example.
    given: &'static [ExampleFile],
    /// The files that this one is nested in and itself, the outermost first.
    chain: Vec<PathBuf>,
    /// What was found in this file and in all that are read with it.
    found: Arc<Mutex<Found>>,
}

/// What was found while a diagram file was read, with all files nested in it.
#[derive(Debug, Default)]
struct Found {
    faults: Vec<FileFault>,
    /// How many faults there are beyond the most that are listed.
    more: usize,
    /// Every model file that was read; `None` after its faults were recorded.
    models: HashMap<PathBuf, Option<Arc<Model>>>,
    /// What a person should know about files that were accepted.
    notes: Vec<String>,
    /// How many files were nested, and their bytes.
    nested: usize,
    nested_bytes: u64,
}

impl Loader {
    /// Surroundings of the file at `path`.
    pub fn new(path: &Path) -> Self {
        Loader {
            name: path.display().to_string(),
            folder: path.parent().map_or_else(PathBuf::new, Path::to_owned),
            overrides: Vec::new(),
            deferred: Vec::new(),
            given: &[],
            chain: vec![real(path)],
            found: Arc::default(),
        }
    }

    /// Surroundings of the file of an example: it and the files it names exist in the program only.
    pub(super) fn of_example(name: &str, given: &'static [ExampleFile]) -> Self {
        Loader { given, ..Loader::new(Path::new(name)) }
    }

    /// The text of a file that exists in the program only.
    pub(super) fn given(&self, path: &Path) -> Option<&'static str> {
        self.given.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| *text)
    }

    /// Surroundings of a file that this one nests; faults are collected together.
    ///
    /// # Errors
    /// Why it cannot be nested: it is nested in itself, or there are too many.
    pub(super) fn nested(&self, path: &Path) -> Result<Self, String> {
        let file = real(path);
        if let Some(i) = self.chain.iter().position(|outer| *outer == file) {
            let names = self.chain[i..].iter().chain([&file]).map(|file| {
                file.file_name().map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into_owned())
            });
            return Err(format!("it would contain itself ({})", names.collect::<Vec<_>>().join(" -> ")));
        }
        if self.chain.len() > nested::MOST_LEVELS {
            return Err(format!("files are nested deeper than {} levels", nested::MOST_LEVELS));
        }
        let mut found = self.found();
        if found.nested >= nested::MOST_FILES {
            return Err(format!("more than {} files are nested", nested::MOST_FILES));
        }
        found.nested += 1;
        drop(found);
        let mut inner = Loader { found: self.found.clone(), given: self.given, ..Loader::new(path) };
        inner.chain = self.chain.iter().cloned().chain([file]).collect();
        Ok(inner)
    }

    /// Counts the bytes of a nested file; `false` if they are too many.
    pub(super) fn count_bytes(&self, bytes: u64) -> bool {
        let mut found = self.found();
        found.nested_bytes += bytes;
        found.nested_bytes <= nested::MOST_BYTES
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a text of the command line; faults of its values name it.
    pub(super) fn add_override(&mut self, option: String) -> Origin {
        self.overrides.push(option);
        Origin::Override(self.overrides.len() - 1)
    }

    /// Keeps a value of the command line for the file that `block` nests.
    pub(super) fn defer(&mut self, block: &str, one: Override) {
        self.deferred.push((block.to_owned(), one));
    }

    /// The values of the command line for the file that `block` nests.
    pub(super) fn deferred_to(&self, block: &str) -> Vec<Override> {
        self.deferred.iter().filter(|(name, _)| name == block).map(|(_, one)| one.clone()).collect()
    }

    /// The file's name as it was given; faults of the file carry it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The folder of the diagram file, where models are looked up; empty for the folder the program runs in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A fault at a place of the file (or of the command line), without recording it.
    pub fn fault_at(&self, at: Position, kind: FaultKind) -> FileFault {
        match at.origin {
            Origin::File => FileFault { file: self.name.clone(), at: Some(at), kind },
            Origin::Override(i) => {
                let file = self.overrides.get(i).cloned().unwrap_or_else(|| "command line".into());
                FileFault { file, at: None, kind }
            }
        }
    }

    /// Records a fault at a place of the file.
    pub fn report(&self, at: Position, kind: FaultKind) {
        self.push(self.fault_at(at, kind));
    }

    /// Records a fault of the file as a whole.
    pub fn report_whole(&self, kind: FaultKind) {
        self.push(FileFault { file: self.name.clone(), at: None, kind });
    }

    /// Records any fault, e.g. one of a model file.
    pub fn push(&self, fault: FileFault) {
        let mut found = self.found();
        if found.faults.len() >= MOST_FAULTS {
            found.more += 1;
        } else if !found.faults.contains(&fault) {
            // A file that is nested twice has the same faults twice.
            found.faults.push(fault);
        }
    }

    /// Whether further faults are only counted, so that suggestions for them are wasted work.
    pub(super) fn is_full(&self) -> bool {
        self.found().faults.len() >= MOST_FAULTS
    }

    /// Records what a person should know about something that was accepted: ignored, assumed, or suspicious.
    pub fn note(&self, note: impl ToString) {
        let notes = &mut self.found().notes;
        if notes.len() < MOST_NOTES {
            notes.push(note.to_string());
        }
    }

    /// Takes the notes, in the order in which they were recorded.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.found().notes)
    }

    /// The model in the file at `path`, which is read once however often it is used. Its notes and faults are recorded
    /// with their places in that file.
    pub fn model(&self, path: &Path) -> Option<Arc<Model>> {
        if let Some(model) = self.found().models.get(path) {
            return model.clone();
        }
        let read = match self.given(path) {
            Some(text) => models::parse_urdf(text, &path.display().to_string()),
            None => models::read_urdf(path),
        };
        let model = match read {
            Ok(loaded) => {
                loaded.notes.iter().for_each(|note| self.note(note));
                Some(Arc::new(loaded.model))
            }
            Err(error) => {
                for fault in error.faults {
                    let at = Position {
                        origin: Origin::File,
                        line: fault.line,
                        column: fault.column,
                        offset: fault.span.start,
                        length: fault.span.len(),
                    };
                    let kind = FaultKind::Model { message: fault.kind.to_string() };
                    self.push(FileFault { file: fault.file, at: (fault.line > 0).then_some(at), kind });
                }
                None
            }
        };
        self.found().models.insert(path.to_owned(), model.clone());
        model
    }

    /// Whether no fault was recorded.
    pub fn is_clean(&self) -> bool {
        self.found().faults.is_empty()
    }

    /// Takes all faults: those of the diagram file in its order, then those of each model file in its order.
    ///
    /// # Errors
    /// The faults, if there is one.
    pub fn finish(&self) -> Result<(), FileFaults> {
        let mut faults = std::mem::take(&mut self.found().faults);
        if faults.is_empty() {
            return Ok(());
        }
        let elsewhere = |fault: &FileFault| fault.at.is_some() && fault.file != self.name;
        let place = |fault: &FileFault| fault.at.map(|at| (at.line, at.column));
        faults.sort_by(|a, b| {
            let files =
                || if elsewhere(a) && elsewhere(b) { a.file.cmp(&b.file) } else { elsewhere(a).cmp(&elsewhere(b)) };
            files().then_with(|| place(a).cmp(&place(b)))
        });
        faults.dedup();
        let count = std::mem::take(&mut self.found().more);
        if count > 0 {
            faults.push(FileFault { file: self.name.clone(), at: None, kind: FaultKind::More { count } });
        }
        Err(FileFaults(faults))
    }

    /// The existing file that `written` names, relative to the diagram file's folder.
    ///
    /// A file is data: its paths stay within its folder, links included. A path given on the
    /// command line may lead anywhere.
    pub(super) fn resolve(&self, written: &str, at: Position, path: &str) -> Result<PathBuf, FaultKind> {
        let trusted = matches!(at.origin, Origin::Override(_));
        let outside = || FaultKind::OutsideFolder { path: path.into(), file: written.into() };
        let inside = Path::new(written).components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        if !trusted && !inside {
            return Err(outside());
        }
        let resolved = self.folder.join(written);
        if self.given(&resolved).is_some() {
            return Ok(resolved);
        }
        if !resolved.is_file() {
            return Err(FaultKind::NoFile { path: path.into(), file: resolved.display().to_string() });
        }
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let stays_inside = match (resolved.canonicalize(), folder.canonicalize()) {
            (Ok(file), Ok(folder)) => file.starts_with(folder),
            _ => false,
        };
        if trusted || stays_inside { Ok(resolved) } else { Err(outside()) }
    }
}

/// The path without links, to tell files apart; as it is where there is no such file.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
