//! Permission of the files that a model makes its reader open, and a list of those opened.
//!
//! A model is data: the files that it names must lie in permitted folders. These are the folder of the model, its
//! package (the nearest folder above it with a `package.xml` or `model.config`), the packages that it names, and those
//! that [`FileAccess`] adds: the folder of a diagram file and its `model_paths`. The target of a path counts, whatever
//! its spelling: links and `..` are followed first. Only regular files are opened.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Files that mark a folder as a package.
const MANIFESTS: [&str; 2] = ["package.xml", "model.config"];

/// The folders whose files may be opened, and the files that were opened.
#[derive(Clone, Debug, Default)]
pub struct FileAccess {
    folders: Vec<PathBuf>,
    /// Folder to which paths in messages are relative.
    base: Option<PathBuf>,
    anywhere: bool,
    opened: Arc<Mutex<BTreeSet<PathBuf>>>,
}

/// Reasons why a file is not opened.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessFault {
    /// The file lies outside of the permitted folders.
    #[error(
        "{file:?} lies outside of the folders whose files are read; to read it, add the line `model_paths: [{add}]` to \
         the diagram file, or run with --allow-outside"
    )]
    Outside {
        /// Path of the file.
        file: String,
        /// The folder to permit.
        add: String,
    },
    /// The file does not exist.
    #[error("there is no file {file:?}")]
    Missing {
        /// Path at which it was searched for.
        file: String,
    },
    /// A folder, a device or a pipe.
    #[error("{file:?} is {what}, not a file")]
    NoFile {
        /// Its path.
        file: String,
        /// Its kind.
        what: &'static str,
    },
}

kinegraph_core::debug_is_message!(AccessFault);

/// Two are equal if they permit the same files.
impl PartialEq for FileAccess {
    fn eq(&self, other: &Self) -> bool {
        (&self.folders, self.anywhere) == (&other.folders, other.anywhere)
    }
}

impl Eq for FileAccess {}

impl Hash for FileAccess {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.folders, self.anywhere).hash(state);
    }
}

impl FileAccess {
    /// Permits files in `folder`, which messages take for the folder of the diagram file.
    pub fn of_folder(folder: &Path) -> Self {
        FileAccess { base: Some(folder.to_owned()), ..FileAccess::default() }.with(folder)
    }

    /// Permits files in `folder` too.
    pub fn with(mut self, folder: &Path) -> Self {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if !self.folders.iter().any(|known| known == folder) {
            self.folders.push(folder.to_owned());
        }
        self
    }

    /// Permits files anywhere, if `anywhere`.
    pub fn anywhere(self, anywhere: bool) -> Self {
        FileAccess { anywhere, ..self }
    }

    /// True if files may be anywhere.
    pub fn is_anywhere(&self) -> bool {
        self.anywhere
    }

    /// Records opened files in the list of `other`.
    pub fn noting_with(self, other: &FileAccess) -> Self {
        FileAccess { opened: other.opened.clone(), ..self }
    }

    /// The access of the model in the file at `path`: with its folder and its package too.
    pub(super) fn of_model(&self, path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new(""));
        let own = self.clone().with(folder);
        match package_above(&real(folder)) {
            Some(package) => own.with(&package),
            None => own,
        }
    }

    /// Checks that the file at `path` may be opened and is a regular file; records it.
    ///
    /// # Errors
    /// [`AccessFault`]; for a file outside nothing else is reported, not even whether it exists.
    pub fn check(&self, path: &Path) -> Result<(), AccessFault> {
        let place = real(path);
        if !self.holds(&place) {
            let (file, folder) = (path.display().to_string(), place.parent().unwrap_or(&place));
            return Err(AccessFault::Outside { file, add: self.line(folder) });
        }
        self.check_plain(path)
    }

    /// Checks that a file, whose place was checked, is a regular file; records it.
    pub(super) fn check_plain(&self, path: &Path) -> Result<(), AccessFault> {
        let file = path.display().to_string();
        let Ok(data) = path.metadata() else { return Err(AccessFault::Missing { file }) };
        if !data.is_file() {
            let what = if data.is_dir() { "a folder" } else { "a device or a pipe" };
            return Err(AccessFault::NoFile { file, what });
        }
        self.note(path);
        Ok(())
    }

    /// True if files at this path may be opened.
    pub fn holds(&self, path: &Path) -> bool {
        let place = real(path);
        self.anywhere || self.folders.iter().any(|folder| place.starts_with(real(folder)))
    }

    /// Records that a file is read.
    pub fn note(&self, path: &Path) {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).insert(real(path));
    }

    /// The files that were opened, in the order of their names.
    pub fn opened(&self) -> Vec<PathBuf> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Line of `model_paths` for `folder`, as a person would write it in the diagram file.
    pub fn line(&self, folder: &Path) -> String {
        let base = self.base.as_deref().or(self.folders.first().map(PathBuf::as_path)).unwrap_or(Path::new("."));
        relative(&real(base), folder).display().to_string()
    }
}

/// True if the folder is marked as a package.
pub(super) fn is_package(folder: &Path) -> bool {
    MANIFESTS.iter().any(|manifest| folder.join(manifest).is_file())
}

/// The nearest package at or above a folder.
fn package_above(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|above| is_package(above)).map(Path::to_owned)
}

/// Target of a path, with links followed; for a path that does not exist, as far as it does.
pub fn real(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let parent = path.parent().unwrap_or(Path::new(""));
    match path.components().next_back() {
        Some(Component::Normal(name)) => real(parent).join(name),
        Some(Component::ParentDir) => {
            let parent = real(parent);
            parent.parent().unwrap_or(&parent).to_owned()
        }
        _ => path.to_owned(),
    }
}

/// Relative path from one folder to another, both without links.
pub fn relative(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(common)).collect();
    if way.as_os_str().is_empty() { PathBuf::from(".") } else { way }
}
