//! Values with their context, and decoders into values of the program.

use super::fault::FaultKind;
use super::loader::Loader;
use super::node::{Node, shorten};
use kinegraph_core::sizes::SizeRange;
use std::fmt;

/// Path of a value in the tree; shown as `systems.plant.gravity[2]`.
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

/// A value to decode, with its context.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    /// The value.
    pub node: &'a Node,
    /// Its path in the tree.
    pub path: &'a Path<'a>,
    /// Collects faults.
    pub loader: &'a Loader,
    /// Size ranges that its numbers may have; empty: any.
    pub ranges: &'a [&'static SizeRange],
}

impl Item<'_> {
    /// Records that the value is not as `expected`.
    pub fn wrong(&self, expected: impl Into<String>) {
        self.wrong_found(expected, self.node.value.describe());
    }

    /// Records that the value is not as `expected`, and describes it as `found`.
    pub fn wrong_found(&self, expected: impl Into<String>, found: impl Into<String>) {
        let path = self.path.to_string();
        self.report(FaultKind::Value { path, expected: expected.into(), found: found.into() });
    }

    /// Records a fault at this value.
    pub fn report(&self, kind: FaultKind) {
        self.loader.report(self.node.at, kind);
    }
}

/// Decoder of a value in the file into a value of the program.
pub trait Decode {
    /// The decoded value.
    type Output;
    /// Description of valid values, in words that fit "expected …".
    fn expects(&self) -> String;
    /// Decodes the value; `None` after recording at least one fault.
    fn decode(&self, item: Item<'_>) -> Option<Self::Output>;
    /// Keys of the value, or of each of its items, if these are maps.
    fn keys(&self) -> Vec<Parameter> {
        Vec::new()
    }
    /// Length of a value that may be one number for all signals or a list with one for each; `None` if it is one
    /// number, or can never be a list.
    fn list_length(&self, _value: &Self::Output) -> Option<usize> {
        None
    }
}

/// Decoder whose values can be written as in a file, as needed for defaults.
pub trait Print: Decode {
    /// Returns the value as written in a file.
    fn print(&self, value: &Self::Output) -> String;
}

/// Description of a parameter for documents and lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its key.
    pub key: &'static str,
    /// True if it may change during a run.
    pub is_live: bool,
    /// Default.
    pub if_missing: IfMissing,
    /// Description of valid values.
    pub expects: String,
    /// Its meaning, with its unit.
    pub about: &'static str,
    /// Keys of its value, or of each item of its value, if these are maps.
    pub keys: Vec<Parameter>,
}

/// Value of a parameter whose key is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IfMissing {
    /// None: the key is required.
    Required,
    /// This value, as written in a file.
    Value(String),
    /// As described by these words.
    Words(&'static str),
}
