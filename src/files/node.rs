//! Tree of values from a diagram file, a program or JSON, each with its place.

pub use kinegraph_core::sizes::{show_number, show_rounded};

/// Text that contains a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Origin {
    /// The diagram file.
    #[default]
    File,
    /// The n-th value given on the command line.
    Override(usize),
    /// None: a program made the value.
    Program,
}

/// A place in a text: line and column count characters from 1, the span counts bytes from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Position {
    /// The text.
    pub origin: Origin,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// First byte.
    pub offset: usize,
    /// Number of bytes; zero for lists, maps and missing values.
    pub length: usize,
}

impl Position {
    /// The first character of the file.
    pub fn start() -> Self {
        Position { line: 1, column: 1, ..Position::default() }
    }

    /// Place of a column of the `text` that begins here, if it stands in the file as it is; else this place.
    pub fn column_of(self, text: &str, column: usize) -> Self {
        let quote = match self.length.checked_sub(text.len()) {
            Some(0) => 0,
            Some(2) => 1,
            _ => return self,
        };
        let skipped: usize = text.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
        Position {
            column: self.column + quote + column.saturating_sub(1),
            offset: self.offset + quote + skipped,
            length: 0,
            ..self
        }
    }
}

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Place where the value begins.
    pub at: Position,
    /// The value.
    pub value: Value,
}

/// Kinds of values.
#[derive(Clone, Debug)]
pub enum Value {
    /// Nothing: an empty value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Any number, including infinities and not-a-number.
    Number(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Keys with values, in their order.
    Map(Vec<Entry>),
}

/// One `key: value`.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Place of the key.
    pub key_at: Position,
    /// The value.
    pub node: Node,
}

impl Node {
    /// Value of `key`, if the node is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|e| e.key == key).map(|e| &e.node),
            _ => None,
        }
    }
}

impl Node {
    /// Numbers the places of all values, from `next` on.
    pub(super) fn number_places(&mut self, next: &mut usize) {
        self.at.offset = *next;
        *next += 1;
        match &mut self.value {
            Value::List(items) => items.iter_mut().for_each(|item| item.number_places(next)),
            Value::Map(entries) => entries.iter_mut().for_each(|entry| entry.node.number_places(next)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {}
        }
    }
}

impl Position {
    /// Place of a value that a program made.
    pub(super) fn nowhere() -> Self {
        Position { origin: Origin::Program, ..Position::default() }
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        Node { at: Position::nowhere(), value }
    }
}

impl From<f64> for Node {
    fn from(number: f64) -> Self {
        Value::Number(number).into()
    }
}

impl From<bool> for Node {
    fn from(flag: bool) -> Self {
        Value::Bool(flag).into()
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned()).into()
    }
}

impl<N: Into<Node>> FromIterator<N> for Node {
    fn from_iter<I: IntoIterator<Item = N>>(items: I) -> Self {
        Value::List(items.into_iter().map(Into::into).collect()).into()
    }
}

impl<N: Into<Node>> From<Vec<N>> for Node {
    fn from(items: Vec<N>) -> Self {
        items.into_iter().collect()
    }
}

impl<K: Into<String>, N: Into<Node>, const LENGTH: usize> From<[(K, N); LENGTH]> for Node {
    /// A map.
    fn from(entries: [(K, N); LENGTH]) -> Self {
        let entry = |(key, value): (K, N)| Entry::new(key.into(), value.into());
        Value::Map(entries.into_iter().map(entry).collect()).into()
    }
}

impl From<serde_json::Value> for Node {
    fn from(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Value::Null.into(),
            serde_json::Value::Bool(flag) => flag.into(),
            // A number too large for f64 becomes infinite and is rejected where a number is read.
            serde_json::Value::Number(number) => number.as_f64().unwrap_or(f64::INFINITY).into(),
            serde_json::Value::String(text) => Value::Text(text).into(),
            serde_json::Value::Array(items) => items.into_iter().collect(),
            serde_json::Value::Object(entries) => {
                let entry = |(key, value): (String, serde_json::Value)| Entry::new(key, value.into());
                Value::Map(entries.into_iter().map(entry).collect()).into()
            }
        }
    }
}

impl Entry {
    /// An entry that a program made.
    pub fn new(key: String, node: Node) -> Self {
        Entry { key, key_at: Position::nowhere(), node }
    }
}

impl Value {
    /// Describes the value in a few words, for "found …".
    pub fn describe(&self) -> String {
        match self {
            Value::Null => "nothing".into(),
            Value::Bool(b) => b.to_string(),
            Value::Number(x) => show_number(*x),
            Value::Text(t) => format!("the text `{}`", shorten(t)),
            Value::List(items) => match items.len() {
                0 => "an empty list".into(),
                1 => "a list of 1 value".into(),
                n => format!("a list of {n} values"),
            },
            Value::Map(entries) => match entries.as_slice() {
                [] => "an empty map".into(),
                [first, ..] => format!("a map (`{}: …`)", shorten(&first.key)),
            },
        }
    }
}

/// Shortens a text of an input file for a message and removes control characters.
pub(super) fn shorten(text: &str) -> String {
    const LIMIT: usize = 60;
    let mut short: String = text.chars().take(LIMIT).flat_map(printable).collect();
    if text.chars().nth(LIMIT).is_some() {
        short.push('…');
    }
    short
}

fn printable(c: char) -> impl Iterator<Item = char> {
    let escaped = c.is_control().then(|| c.escape_debug());
    let plain = (!c.is_control()).then_some(c);
    escaped.into_iter().flatten().chain(plain)
}
