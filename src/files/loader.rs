//! What reading a diagram file needs besides the tree: where the file lies, and where faults are collected.

use super::fault::{FaultKind, FileFault, FileFaults};
use super::node::{Origin, Position};
use std::cell::RefCell;
use std::path::{Component, Path, PathBuf};

/// The surroundings of a diagram file while it is read.
#[derive(Debug)]
pub struct Loader {
    /// The file's name as it was given.
    name: String,
    /// Relative model files are looked up here.
    folder: PathBuf,
    /// What stood on the command line, by [`Origin::Override`].
    overrides: Vec<String>,
    faults: RefCell<Vec<FileFault>>,
}

impl Loader {
    /// Surroundings of the file at `path`.
    pub fn new(path: &Path) -> Self {
        let folder = match path.parent() {
            Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
            Some(parent) => parent.to_owned(),
            None => PathBuf::from("."),
        };
        Loader { name: path.display().to_string(), folder, overrides: Vec::new(), faults: RefCell::new(Vec::new()) }
    }

    /// Adds a text of the command line; faults of its values name it.
    pub(super) fn add_override(&mut self, option: String) -> Origin {
        self.overrides.push(option);
        Origin::Override(self.overrides.len() - 1)
    }

    /// The folder of the diagram file.
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

    /// Records a fault at a place.
    pub fn report(&self, at: Position, kind: FaultKind) {
        let fault = self.fault_at(at, kind);
        self.faults.borrow_mut().push(fault);
    }

    /// Records a fault of the file as a whole.
    pub fn report_whole(&self, kind: FaultKind) {
        self.faults.borrow_mut().push(FileFault { file: self.name.clone(), at: None, kind });
    }

    /// Whether no fault was recorded.
    pub fn is_clean(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    /// Takes all faults, in the order of the file; `Ok` if there is none.
    pub fn finish(&self) -> Result<(), FileFaults> {
        let mut faults = self.faults.take();
        if faults.is_empty() {
            return Ok(());
        }
        faults.sort_by_key(|fault| fault.at.map(|at| (at.line, at.column)));
        faults.dedup();
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
            return Err(FaultKind::NoFile {
                path: path.into(),
                file: written.into(),
                folder: self.folder.display().to_string(),
            });
        }
        let follows_links = match (resolved.canonicalize(), self.folder.canonicalize()) {
            (Ok(file), Ok(folder)) => file.starts_with(folder),
            _ => false,
        };
        if trusted || follows_links { Ok(resolved) } else { Err(outside()) }
    }
}
