//! The diagram file as a tree of values, each with the place it came from.

/// Which text a value was written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Origin {
    /// The diagram file.
    #[default]
    File,
    /// The n-th value given on the command line.
    Override(usize),
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
}

/// A value and where it was written.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where the value begins.
    pub at: Position,
    /// The value.
    pub value: Value,
}

/// What YAML can say.
#[derive(Clone, Debug)]
pub enum Value {
    /// Nothing (an empty value, `null` or `~`).
    Null,
    /// `true` or `false`; `yes` and `no` are text.
    Bool(bool),
    /// Any number, infinities and not-a-number included.
    Number(f64),
    /// Text, quoted or not.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Keys with values, in the order of the file.
    Map(Vec<Entry>),
}

/// One `key: value`.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key is written.
    pub key_at: Position,
    /// The value.
    pub node: Node,
}

impl Node {
    /// The value of `key`, where the node is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|e| e.key == key).map(|e| &e.node),
            _ => None,
        }
    }
}

impl Value {
    /// The value in a few words, for "found …".
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

/// A number the way a person writes it: `0.001`, `1e-9`, `inf`.
pub fn show_number(x: f64) -> String {
    let size = x.abs();
    if x.is_nan() {
        "not-a-number".into()
    } else if x.is_finite() && size != 0.0 && !(1e-4..1e7).contains(&size) {
        format!("{x:e}")
    } else {
        x.to_string()
    }
}

/// Text of an input file for a message: bounded, and without control characters.
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
