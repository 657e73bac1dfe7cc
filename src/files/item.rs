//! A value with its surroundings, and what turns it into a value of the program.

use super::fault::FaultKind;
use super::loader::Loader;
use super::node::{Node, shorten};
use kinegraph_core::sizes::SizeRange;
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
    /// The sizes that its numbers may have; empty: any.
    pub ranges: &'a [&'static SizeRange],
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

/// Turns a value of the file into a value of the program.
pub trait Decode {
    /// The decoded value.
    type Output;
    /// What the value must be, in words that fit "expected …".
    fn expects(&self) -> String;
    /// The decoded value; `None` after recording at least one fault.
    fn decode(&self, item: Item<'_>) -> Option<Self::Output>;
    /// The keys of the value, or of each of its items, where these are maps.
    fn keys(&self) -> Vec<Parameter> {
        Vec::new()
    }
    /// How many numbers a value is, where it may be one number for all signals or a list with one for each; `None` for
    /// one number, and where a value cannot be both.
    fn list_length(&self, _value: &Self::Output) -> Option<usize> {
        None
    }
}

/// A decoder whose values can be written as they stand in a file: those that may have a default.
pub trait Print: Decode {
    /// The value as it stands in a file.
    fn print(&self, value: &Self::Output) -> String;
}

/// One parameter, as a person needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its key.
    pub key: &'static str,
    /// Whether it may change while a run goes on.
    pub is_live: bool,
    /// What it is where the key is missing.
    pub if_missing: IfMissing,
    /// What its value must be.
    pub expects: String,
    /// What it means, with its unit.
    pub about: &'static str,
    /// The keys of its value, or of each item of its value, where these are maps.
    pub keys: Vec<Parameter>,
}

/// What a parameter is where its key is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IfMissing {
    /// The key must be there.
    Required,
    /// This value, as it would stand in a file.
    Value(String),
    /// What these words say.
    Words(&'static str),
}
