//! What reading a diagram file needs besides the tree: where the file lies, and where faults are collected.

use super::fault::{FaultKind, FileFault, FileFaults};
use super::node::{Origin, Position};
use std::cell::{Cell, RefCell};
use std::path::{Component, Path, PathBuf};

/// Most faults that are listed: nobody reads more, and a hostile file must not fill the memory.
const MOST_FAULTS: usize = 200;

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

    /// Whether no fault was recorded.
    pub fn is_clean(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    /// Takes all faults, in the order of the file.
    ///
    /// # Errors
    /// The faults, if there is one.
    pub fn finish(&self) -> Result<(), FileFaults> {
        let mut faults = self.faults.take();
        if faults.is_empty() {
            return Ok(());
        }
        faults.sort_by_key(|fault| fault.at.map(|at| (at.line, at.column)));
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
