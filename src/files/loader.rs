//! What reading a diagram file needs besides the tree: where the file lies, and where faults are collected.

use super::fault::{FaultKind, FileFault, FileFaults};
use super::node::{Origin, Position};
use kinegraph_systems::models;
use kinegraph_systems::multibody::Model;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

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
    faults: RefCell<Vec<FileFault>>,
    /// How many faults there are beyond the most that are listed.
    more: Cell<usize>,
    /// Every model file that was read; `None` after its faults were recorded.
    models: RefCell<HashMap<PathBuf, Option<Arc<Model>>>>,
    /// What a person should know about files that were accepted.
    notes: RefCell<Vec<String>>,
}

impl Loader {
    /// Surroundings of the file at `path`.
    pub fn new(path: &Path) -> Self {
        Loader {
            name: path.display().to_string(),
            folder: path.parent().map_or_else(PathBuf::new, Path::to_owned),
            overrides: Vec::new(),
            faults: RefCell::default(),
            more: Cell::default(),
            models: RefCell::default(),
            notes: RefCell::default(),
        }
    }

    /// Adds a text of the command line; faults of its values name it.
    pub(super) fn add_override(&mut self, option: String) -> Origin {
        self.overrides.push(option);
        Origin::Override(self.overrides.len() - 1)
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
        if self.is_full() {
            self.more.set(self.more.get() + 1);
        } else {
            self.faults.borrow_mut().push(fault);
        }
    }

    /// Whether further faults are only counted, so that suggestions for them are wasted work.
    pub(super) fn is_full(&self) -> bool {
        self.faults.borrow().len() >= MOST_FAULTS
    }

    /// Records what a person should know about something that was accepted: ignored, assumed, or suspicious.
    pub fn note(&self, note: impl ToString) {
        let mut notes = self.notes.borrow_mut();
        if notes.len() < MOST_NOTES {
            notes.push(note.to_string());
        }
    }

    /// Takes the notes, in the order in which they were recorded.
    pub fn take_notes(&self) -> Vec<String> {
        self.notes.take()
    }

    /// The model in the file at `path`, which is read once however often it is used. Its notes and faults are recorded with their places
    /// in that file.
    pub fn model(&self, path: &Path) -> Option<Arc<Model>> {
        if let Some(model) = self.models.borrow().get(path) {
            return model.clone();
        }
        let model = match models::read_urdf(path) {
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
        self.models.borrow_mut().insert(path.to_owned(), model.clone());
        model
    }

    /// Whether no fault was recorded.
    pub fn is_clean(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    /// Takes all faults: those of the diagram file in its order, then those of each model file in its order.
    ///
    /// # Errors
    /// The faults, if there is one.
    pub fn finish(&self) -> Result<(), FileFaults> {
        let mut faults = self.faults.take();
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
        let count = self.more.take();
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
