//! Reading diagram files over a catalog of block types.

use super::catalog::Catalog;
use super::fault::FileFaults;
use super::file_cache::FileCache;
use super::loader::Loader;
use super::node::{Node, Origin, Value};
use super::overrides::{self, Override};
use super::parameters;
use super::parse;
use super::schema::diagram::{self, DiagramFile};
use std::path::Path;
use std::sync::Arc;

/// A diagram file without faults, with the context needed to report faults found later.
#[derive(Debug)]
pub struct Loaded {
    /// The description.
    pub diagram: DiagramFile,
    /// Knows the file's folder; collects faults found while blocks are built.
    pub loader: Loader,
    /// The file's text, for excerpts in messages.
    pub text: String,
}

impl Loaded {
    /// Faults found while blocks were built, in the form of faults found while reading.
    pub fn failed(&self) -> LoadError {
        failed(&self.loader, self.text.clone())
    }
}

/// Faults of a file, with its text if there is one.
#[derive(thiserror::Error)]
#[error("{faults}")]
pub struct LoadError {
    /// All faults.
    pub faults: FileFaults,
    /// The file's name as it was given.
    pub name: String,
    /// The file's text, for excerpts in messages; empty if it could not be read.
    pub text: String,
}

kinegraph_core::debug_is_message!(LoadError);

/// Reads the diagram file at `path`, with `overrides` in place of its values, over the standard catalog.
///
/// # Errors
/// All faults of the file and of the overrides.
pub fn load(path: &Path, overrides: &[Override]) -> Result<Loaded, LoadError> {
    Catalog::standard().load(path, overrides)
}

/// Reads diagram text as if it were the file at `path`, over the standard catalog.
///
/// # Errors
/// As [`load`].
pub fn load_str(path: &Path, text: &str, overrides: &[Override]) -> Result<Loaded, LoadError> {
    Catalog::standard().load_str(path, text, overrides)
}

impl Catalog {
    /// Reads the diagram file at `path`, with `overrides` in place of its values. It and its nested files can name the
    /// block types of this catalog.
    ///
    /// # Errors
    /// All faults of the file and of the overrides.
    pub fn load(&self, path: &Path, overrides: &[Override]) -> Result<Loaded, LoadError> {
        self.load_by(self.loader(path), path, overrides)
    }

    /// Reads diagram text as if it were the file at `path`.
    ///
    /// # Errors
    /// As [`Catalog::load`].
    pub fn load_str(&self, path: &Path, text: &str, overrides: &[Override]) -> Result<Loaded, LoadError> {
        self.load_text(path, text.to_owned(), overrides, self.loader(path))
    }

    fn loader(&self, path: &Path) -> Loader {
        Loader::new(path).anywhere(self.allows_outside()).with_integrators(self.integrators())
    }

    /// Reads the diagram file at `path`; the file, its nested files and its models are read once for all loads that
    /// share `cache`.
    ///
    /// # Errors
    /// As [`Catalog::load`].
    pub fn load_sharing(
        &self,
        path: &Path,
        overrides: &[Override],
        cache: &Arc<FileCache>,
    ) -> Result<Loaded, LoadError> {
        self.load_by(self.loader(path).sharing(cache), path, overrides)
    }

    fn load_by(&self, loader: Loader, path: &Path, overrides: &[Override]) -> Result<Loaded, LoadError> {
        match loader.text(path) {
            Ok(text) => self.load_text(path, text, overrides, loader),
            Err(kind) => {
                loader.report_whole(kind);
                Err(failed(&loader, String::new()))
            }
        }
    }

    pub(super) fn load_text(
        &self,
        path: &Path,
        text: String,
        overrides: &[Override],
        loader: Loader,
    ) -> Result<Loaded, LoadError> {
        let (tree, faults) = parse::parse(&text, Origin::File);
        for (at, kind) in faults {
            loader.report(at, kind);
        }
        match tree {
            Some(tree) => self.read_tree(path, tree, text, overrides, loader),
            None => Err(failed(&loader, text)),
        }
    }

    /// Reads a diagram that a program made, as the tree of a parsed file. File names in it are relative to `folder`, or
    /// absolute.
    ///
    /// ```
    /// use kinegraph::files::{Catalog, Override};
    /// use std::path::Path;
    ///
    /// let tree = serde_json::json!({
    ///     "kinegraph": 1,
    ///     "systems": {"motor": {"type": "integrator", "initial": 2}, "brake": {"type": "gain", "gain": -1}},
    ///     "connections": ["motor.output -> brake.input", "brake.output -> motor.input"],
    ///     "simulation": {"duration": 1},
    /// });
    /// let loaded = Catalog::standard().load_tree(tree, Path::new(""), &[])?;
    /// assert_eq!(loaded.diagram.systems.len(), 2);
    /// # Ok::<(), kinegraph::files::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Catalog::load`].
    pub fn load_tree(&self, tree: impl Into<Node>, folder: &Path, overrides: &[Override]) -> Result<Loaded, LoadError> {
        let mut tree = tree.into();
        // A file begins with its version; the maps of a program may be in any order.
        if let Value::Map(entries) = &mut tree.value {
            entries.sort_by_key(|entry| entry.key != "kinegraph");
        }
        // Values of a program have no lines, but each has a place of its own.
        tree.number_places(&mut 0);
        self.read_tree(
            &folder.join("diagram"),
            tree,
            String::new(),
            overrides,
            Loader::of_program(folder).anywhere(self.allows_outside()).with_integrators(self.integrators()),
        )
    }

    fn read_tree(
        &self,
        path: &Path,
        mut tree: Node,
        text: String,
        overrides: &[Override],
        mut loader: Loader,
    ) -> Result<Loaded, LoadError> {
        let deferred = overrides::apply(&mut tree, overrides, &mut loader);
        let mut parameters = Vec::new();
        if diagram::version_is_ours(&tree, &loader) {
            parameters = parameters::evaluate(&mut tree, &loader, None);
            overrides::report_lost(&tree, &deferred, &loader);
        }
        match diagram::read(&tree, path, &loader, self, &deferred) {
            Some(diagram) if loader.is_clean() => {
                Ok(Loaded { diagram: DiagramFile { parameters, ..diagram }, loader, text })
            }
            _ => Err(failed(&loader, text)),
        }
    }
}

pub(super) fn failed(loader: &Loader, text: String) -> LoadError {
    LoadError { faults: faults(loader), name: loader.name().to_owned(), text }
}

/// Faults that were recorded.
pub(super) fn faults(loader: &Loader) -> FileFaults {
    loader.finish().err().unwrap_or(FileFaults(Vec::new()))
}
