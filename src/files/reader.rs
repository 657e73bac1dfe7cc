//! A cursor over a map of the diagram file: hands out typed values and collects every fault on the way.
//!
//! A getter that meets a fault records it and returns `None`; reading goes on, so that all faults of a file are
//! reported together. The keys that were asked for are the valid keys of the map: whatever else stands there is
//! reported by [`Reader::finish`]. So a block's reader asks for all of its keys first and uses `?` last.

use super::decode::Decode;
use super::fault::FaultKind;
use super::loader::Loader;
use super::node::{Entry, Node, Position, Value, shorten};
use crate::systems::names::nearest;
use std::fmt;

/// Where a value stands in the tree; shown as `systems.plant.gravity[2]`.
#[derive(Clone, Copy, Debug)]
pub enum Path<'a> {
    /// The whole file.
    Root,
    /// The value of a key.
    Key(&'a Path<'a>, &'a str),
    /// An item of a list, from 0.
    Index(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Path::Root => f.write_str("the file"),
            Path::Key(Path::Root, key) => f.write_str(&shorten(key)),
            Path::Key(parent, key) => write!(f, "{parent}.{}", shorten(key)),
            Path::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// A value to decode, with its surroundings.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    /// The value.
    pub node: &'a Node,
    /// Where it stands in the tree.
    pub path: &'a Path<'a>,
    /// Where faults go.
    pub loader: &'a Loader,
}

impl Item<'_> {
    /// Records that the value is not what it should be.
    pub fn wrong(&self, expected: impl Into<String>) {
        self.wrong_found(expected, self.node.value.describe());
    }

    /// The same, with own words for what was found.
    pub fn wrong_found(&self, expected: impl Into<String>, found: impl Into<String>) {
        let path = self.path.to_string();
        self.report(FaultKind::Value { path, expected: expected.into(), found: found.into() });
    }

    /// Records a fault at this value.
    pub fn report(&self, kind: FaultKind) {
        self.loader.report(self.node.at, kind);
    }
}

/// One key a reader asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The key.
    pub key: &'static str,
    /// What its value must be.
    pub expects: String,
    /// Whether the key must be there.
    pub required: bool,
}

/// A cursor over one map.
pub struct Reader<'a> {
    item: Item<'a>,
    entries: &'a [Entry],
    asked: Vec<Asked>,
    missing: Vec<&'static str>,
}

impl<'a> Reader<'a> {
    /// A cursor over `item`; records a fault and returns `None` where it is no map.
    pub fn new(item: Item<'a>) -> Option<Self> {
        match &item.node.value {
            Value::Map(entries) => Some(Reader { item, entries, asked: Vec::new(), missing: Vec::new() }),
            _ => {
                item.wrong("a map of keys and values");
                None
            }
        }
    }

    /// Where faults go and files are found.
    pub fn loader(&self) -> &'a Loader {
        self.item.loader
    }

    /// The key whose value the map is (the name of a block).
    pub fn name(&self) -> &'a str {
        match self.item.path {
            Path::Key(_, key) => key,
            Path::Root | Path::Index(..) => "",
        }
    }

    /// Where the map begins.
    pub fn at(&self) -> Position {
        self.item.node.at
    }

    /// Where the value of `key` stands; the map's own place if the key is missing.
    pub fn at_key(&self, key: &str) -> Position {
        self.entry(key).map_or(self.at(), |entry| entry.node.at)
    }

    /// Whether the map has this key.
    pub fn has(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }

    /// The value of a key that must be there.
    pub fn required<D: Decode>(&mut self, key: &'static str, decoder: D) -> Option<D::Output> {
        self.ask(key, &decoder, true);
        if !self.has(key) {
            self.missing.push(key);
        }
        self.decode(key, decoder)
    }

    /// The value of a key that may be missing.
    pub fn optional<D: Decode>(&mut self, key: &'static str, decoder: D) -> Option<D::Output> {
        self.ask(key, &decoder, false);
        self.decode(key, decoder)
    }

    /// The value of a key, or `default` where the key is missing.
    pub fn or<D: Decode>(&mut self, key: &'static str, decoder: D, default: D::Output) -> D::Output {
        self.optional(key, decoder).unwrap_or(default)
    }

    /// Records that the value of `key` does not go with others.
    pub fn conflict(&self, key: &str, message: impl Into<String>) {
        let path = self.path_of(key);
        self.report(self.at_key(key), FaultKind::Conflict { path, message: message.into() });
    }

    /// Records that the value of `key` is not what it should be, where its type alone is right.
    pub fn wrong(&self, key: &str, expected: impl Into<String>, found: impl Into<String>) {
        let path = self.path_of(key);
        self.report(self.at_key(key), FaultKind::Value { path, expected: expected.into(), found: found.into() });
    }

    /// Records a fault at a place.
    pub fn report(&self, at: Position, kind: FaultKind) {
        self.item.loader.report(at, kind);
    }

    /// The keys asked for so far.
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// Where the value of `key` stands in the tree.
    pub fn path_of(&self, key: &str) -> String {
        Path::Key(self.item.path, key).to_string()
    }

    /// Reports every key that was not asked for, and every key that is missing.
    pub fn finish(mut self) {
        let strangers = self.entries.iter().filter(|entry| self.asked.iter().all(|asked| asked.key != entry.key));
        for entry in strangers.collect::<Vec<_>>() {
            // Once faults are only counted, nobody reads the suggestion.
            let names = self.asked.iter().map(|asked| asked.key).take_while(|_| !self.loader().is_full());
            let nearest = nearest(&entry.key, names);
            // A missing key that is only misspelt is one fault, not two.
            self.missing.retain(|key| nearest.as_deref() != Some(key));
            let valid = self.asked.iter().map(|asked| asked.key.to_owned()).collect();
            let (path, key) = (self.item.path.to_string(), shorten(&entry.key));
            self.report(entry.key_at, FaultKind::UnknownKey { path, key, nearest, valid });
        }
        self.abandon();
    }

    /// Reports the missing keys only: for a map of unknown kind, where no other key can be judged.
    pub fn abandon(self) {
        for key in &self.missing {
            let path = self.item.path.to_string();
            let expected = self.asked.iter().find(|asked| asked.key == *key).map_or("", |asked| &asked.expects).into();
            self.report(self.at(), FaultKind::MissingKey { path, key: (*key).into(), expected });
        }
    }

    fn ask(&mut self, key: &'static str, decoder: &impl Decode, required: bool) {
        self.asked.push(Asked { key, expects: decoder.expects(), required });
    }

    fn entry(&self, key: &str) -> Option<&'a Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    fn decode<D: Decode>(&self, key: &str, decoder: D) -> Option<D::Output> {
        let node = &self.entry(key)?.node;
        let path = Path::Key(self.item.path, key);
        decoder.decode(Item { node, path: &path, loader: self.item.loader })
    }
}
