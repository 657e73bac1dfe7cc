//! Names declared in the file, and the nearest valid name to a misspelt one.

use super::fault::{BLOCK_TYPE, FaultKind};
use super::loader::Loader;
use super::node::{Position, shorten};
use super::synonyms::block_type_of;
use kinegraph_core::names::nearest;
use std::collections::HashSet;

/// Names declared by the file, in its order: blocks, models, ports.
#[derive(Clone, Debug, Default)]
pub struct Names<'a> {
    ordered: Vec<&'a str>,
    known: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    /// Adds a name; returns `false` if it exists already.
    pub fn insert(&mut self, name: &'a str) -> bool {
        let fresh = self.known.insert(name);
        if fresh {
            self.ordered.push(name);
        }
        fresh
    }

    /// True if the name exists.
    pub fn contains(&self, name: &str) -> bool {
        self.known.contains(name)
    }

    /// Records a fault at `at` if `name` does not exist; `what` is the kind of thing that it names.
    pub fn check(&self, name: &str, what: &str, path: impl FnOnce() -> String, at: Position, loader: &Loader) {
        if !self.contains(name) {
            loader.report(at, unknown(name, what, path(), self.ordered.iter().copied(), loader));
        }
    }
}

impl<'a> FromIterator<&'a str> for Names<'a> {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut all = Names::default();
        for name in names {
            all.insert(name);
        }
        all
    }
}

/// Fault of a name that is not in `valid`.
pub fn unknown<'n>(
    name: &str,
    what: &str,
    path: String,
    valid: impl Iterator<Item = &'n str> + Clone,
    loader: &Loader,
) -> FaultKind {
    // Once faults are only counted, the suggestion is not shown.
    let (nearest, valid) =
        if loader.is_full() { (None, Vec::new()) } else { (nearest(name, valid.clone()), valid.collect()) };
    FaultKind::UnknownName {
        path,
        what: what.into(),
        name: shorten(name),
        nearest,
        valid: valid.into_iter().map(str::to_owned).collect(),
    }
}

/// Fault of an unknown block type, with the nearest of `valid` by spelling, or the type that other tools call so.
pub fn unknown_type<'n>(
    name: &str,
    path: String,
    valid: impl Iterator<Item = &'n str> + Clone,
    loader: &Loader,
) -> FaultKind {
    let mut kind = unknown(name, BLOCK_TYPE, path, valid.clone(), loader);
    let meant = block_type_of(name).filter(|meant| valid.clone().any(|one| one == *meant));
    if let (FaultKind::UnknownName { nearest, .. }, Some(meant)) = (&mut kind, meant) {
        *nearest = Some(meant.to_owned());
    }
    kind
}
