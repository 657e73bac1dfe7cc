//! Which files a model may make its reader open, and which it did.
//!
//! A model is data: the files that it names lie in folders that somebody chose. These are the folder of the model, the
//! package that it is part of (the nearest folder above it with a `package.xml` or `model.config`), the packages that
//! it names, and what [`FileAccess`] adds: the folder of a diagram file and its `model_paths`. What counts is where a
//! path leads, whatever its spelling: links and `..` are followed first. Only plain files are opened.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The files by which a folder says that it is a package.
const MANIFESTS: [&str; 2] = ["package.xml", "model.config"];

/// The folders whose files may be opened, and the files that were.
#[derive(Clone, Debug, Default)]
pub struct FileAccess {
    folders: Vec<PathBuf>,
    /// The folder to which a person would write paths, in messages.
    base: Option<PathBuf>,
    anywhere: bool,
    opened: Arc<Mutex<BTreeSet<PathBuf>>>,
}

/// Why a file is not opened.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessFault {
    /// It lies elsewhere.
    #[error(
        "{file:?} lies outside of the folders whose files are read; to read it, add the line `model_paths: [{add}]` to \
         the diagram file, or run with --allow-outside"
    )]
    Outside {
        /// Where it is.
        file: String,
        /// The folder that would have to be named.
        add: String,
    },
    /// There is none.
    #[error("there is no file {file:?}")]
    Missing {
        /// Where it was looked for.
        file: String,
    },
    /// A folder, a device or a pipe.
    #[error("{file:?} is {what}, not a file")]
    NoFile {
        /// Which.
        file: String,
        /// What it is.
        what: &'static str,
    },
}

kinegraph_core::debug_is_message!(AccessFault);

/// Two are equal if they permit the same.
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
    /// Files in `folder`, which messages take for the folder of the diagram file.
    pub fn of_folder(folder: &Path) -> Self {
        FileAccess { base: Some(folder.to_owned()), ..FileAccess::default() }.with(folder)
    }

    /// Files in `folder` too.
    pub fn with(mut self, folder: &Path) -> Self {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if !self.folders.iter().any(|known| known == folder) {
            self.folders.push(folder.to_owned());
        }
        self
    }

    /// Files anywhere, if `anywhere`.
    pub fn anywhere(self, anywhere: bool) -> Self {
        FileAccess { anywhere, ..self }
    }

    /// Whether files may be anywhere.
    pub fn is_anywhere(&self) -> bool {
        self.anywhere
    }

    /// Notes the files that are opened where `other` does.
    pub fn noting_with(self, other: &FileAccess) -> Self {
        FileAccess { opened: other.opened.clone(), ..self }
    }

    /// As the model in the file at `path` may: its folder and its package too.
    pub(super) fn of_model(&self, path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new(""));
        let own = self.clone().with(folder);
        match package_above(&real(folder)) {
            Some(package) => own.with(&package),
            None => own,
        }
    }

    /// Whether the file at `path` may be opened, and is one; it is noted.
    ///
    /// # Errors
    /// [`AccessFault`]; of what lies outside nothing is said but that.
    pub fn check(&self, path: &Path) -> Result<(), AccessFault> {
        let place = real(path);
        if !self.holds(&place) {
            let (file, folder) = (path.display().to_string(), place.parent().unwrap_or(&place));
            return Err(AccessFault::Outside { file, add: self.line(folder) });
        }
        self.check_plain(path)
    }

    /// The same of a file whose place was checked.
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

    /// Whether files in this place may be opened.
    pub fn holds(&self, path: &Path) -> bool {
        let place = real(path);
        self.anywhere || self.folders.iter().any(|folder| place.starts_with(real(folder)))
    }

    /// Notes that a file is read.
    pub fn note(&self, path: &Path) {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).insert(real(path));
    }

    /// The files that were opened, in the order of their names.
    pub fn opened(&self) -> Vec<PathBuf> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// `folder` as a person would write it in the diagram file.
    pub fn line(&self, folder: &Path) -> String {
        let base = self.base.as_deref().or(self.folders.first().map(PathBuf::as_path)).unwrap_or(Path::new("."));
        relative(&real(base), folder).display().to_string()
    }
}

/// Whether the folder says that it is a package.
pub(super) fn is_package(folder: &Path) -> bool {
    MANIFESTS.iter().any(|manifest| folder.join(manifest).is_file())
}

/// The nearest package at or above a folder.
fn package_above(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|above| is_package(above)).map(Path::to_owned)
}

/// Where a path leads, links followed; of what does not exist, as far as it does.
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

/// The way from one folder to another, both without links.
pub fn relative(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(common)).collect();
    if way.as_os_str().is_empty() { PathBuf::from(".") } else { way }
}
