//! Names of the file's own things, and the nearest valid name to a misspelt one.

use super::fault::FaultKind;
use super::loader::Loader;
use super::node::{Position, shorten};
use std::collections::HashSet;

/// Names declared by the file, in its order: blocks, models, ports.
#[derive(Clone, Debug, Default)]
pub struct Names<'a> {
    ordered: Vec<&'a str>,
    known: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    /// Adds a name; `false` if it is there already.
    pub fn insert(&mut self, name: &'a str) -> bool {
        let fresh = self.known.insert(name);
        if fresh {
            self.ordered.push(name);
        }
        fresh
    }

    /// Whether the name is there.
    pub fn contains(&self, name: &str) -> bool {
        self.known.contains(name)
    }

    /// Records a fault at `at` if `name` is not there; `what` says what it names.
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

/// The fault of a name that is none of `valid`.
pub fn unknown<'n>(
    name: &str,
    what: &str,
    path: String,
    valid: impl Iterator<Item = &'n str> + Clone,
    loader: &Loader,
) -> FaultKind {
    // Once faults are only counted, nobody reads the suggestion.
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

/// The candidate that `name` most likely meant, if one is near enough to be worth saying.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const NEAR_ENOUGH: f64 = 0.5;
    let plain = |s: &str| s.chars().take(80).collect::<String>().to_lowercase().replace(['-', ' '], "_");
    let name = plain(name);
    candidates
        .into_iter()
        .map(|candidate| (likeness(&name, &plain(candidate)), candidate))
        .filter(|(likeness, _)| *likeness >= NEAR_ENOUGH)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate.to_owned())
}

/// 1 for equal names; a name that is the beginning of the other (`interp` of `interpolation`) counts as near.
fn likeness(name: &str, candidate: &str) -> f64 {
    let edits = strsim::normalized_damerau_levenshtein(name, candidate);
    let begins = name.len() >= 2 && (candidate.starts_with(name) || name.starts_with(candidate));
    if begins { edits.max(0.5) } else { edits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_find_the_meant_name_and_strangers_find_none() {
        let valid = ["stiffness", "dissipation", "static_friction", "points"];
        assert_eq!(nearest("stifness", valid), Some("stiffness".into()));
        assert_eq!(nearest("Static-Friction", valid), Some("static_friction".into()));
        assert_eq!(nearest("dissip", valid), Some("dissipation".into()));
        assert_eq!(nearest("colour", valid), None);
        assert_eq!(nearest("anything", []), None);
    }
}
