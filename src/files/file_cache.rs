//! Cache of files: each is read once, however often diagrams are made of it.

use kinegraph_data::Table;
use kinegraph_models::{FileAccess, InertiaPolicy, MeshCollisions, MissingMeshes};
use kinegraph_multibody::Model;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Way in which a model file is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Reading {
    pub inertia: InertiaPolicy,
    pub missing_meshes: MissingMeshes,
    pub meshes: MeshCollisions,
    /// True if its shapes take part in contact.
    pub touches: bool,
}

/// Key of a model: its file, the way it is read, and the folders searched for packages.
pub(super) type ModelKey = (PathBuf, Reading, Vec<PathBuf>);

/// Texts and models that diagrams of one file share. Later changes of the files on disk are ignored.
#[derive(Debug, Default)]
pub struct FileCache {
    texts: Shelf<PathBuf, String>,
    models: Shelf<ModelKey, Arc<Model>>,
    /// Recordings that blocks play back.
    tables: Shelf<PathBuf, Arc<Table>>,
    /// Records the files that were opened.
    access: FileAccess,
    /// Length and checksum of files that blocks name.
    contents: Shelf<PathBuf, String>,
}

/// Values by key.
#[derive(Debug)]
struct Shelf<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Shelf<K, V> {
    fn default() -> Self {
        Shelf(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Shelf<K, V> {
    fn get(&self, key: &K) -> Option<V> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn put(&self, key: K, value: V) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, value);
    }
}

impl FileCache {
    /// Text of the file at `path`; `read` reads it on first use.
    pub(super) fn text<E>(&self, path: &Path, read: impl FnOnce() -> Result<String, E>) -> Result<String, E> {
        if let Some(text) = self.texts.get(&path.to_owned()) {
            return Ok(text);
        }
        let text = read()?;
        self.texts.put(path.to_owned(), text.clone());
        Ok(text)
    }

    /// A model that was read without faults.
    pub(super) fn model(&self, key: &ModelKey) -> Option<Arc<Model>> {
        self.models.get(key)
    }

    pub(super) fn keep_model(&self, key: ModelKey, model: &Arc<Model>) {
        self.models.put(key, model.clone());
    }

    /// The recording at `path`; `read` reads it on first use.
    pub(super) fn table<E>(&self, path: &Path, read: impl FnOnce() -> Result<Arc<Table>, E>) -> Result<Arc<Table>, E> {
        if let Some(table) = self.tables.get(&path.to_owned()) {
            return Ok(table);
        }
        let table = read()?;
        self.tables.put(path.to_owned(), table.clone());
        Ok(table)
    }

    /// Record of the files that were opened.
    pub(super) fn access(&self) -> &FileAccess {
        &self.access
    }

    /// The files that were opened: texts, models, meshes.
    pub fn files_read(&self) -> Vec<PathBuf> {
        self.access.opened()
    }

    /// Length and checksum of a file, if they are known.
    pub(super) fn content(&self, path: &PathBuf) -> Option<String> {
        self.contents.get(path)
    }

    pub(super) fn keep_content(&self, path: PathBuf, content: String) {
        self.contents.put(path, content);
    }

    /// The texts and models that were read, in the order of their names.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = Vec::new();
        files.extend(self.texts.0.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned());
        files.extend(self.models.0.lock().unwrap_or_else(PoisonError::into_inner).keys().map(|key| key.0.clone()));
        files.extend(self.tables.0.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned());
        files.sort();
        files.dedup();
        files
    }
}
