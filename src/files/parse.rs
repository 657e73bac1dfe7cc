//! YAML text -> [`Node`] tree.

use super::fault::FaultKind;
use super::node::{Entry, Node, Origin, Position, Value, shorten};
use super::yaml_help;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, Error, Location, NonFiniteFloatPolicy, Options, Spanned};
use std::collections::HashMap;
use std::fmt;

/// Deepest nesting of lists and maps.
const MAX_DEPTH: usize = 48;
/// Maximum number of values in a file (a file of the largest size, all numbers).
const MAX_NODES: usize = 8 << 20;
/// Maximum number of parts of values that aliases (`*name`) may repeat: lists of lists of aliases grow without bound.
const MAX_REPLAYED: usize = 1 << 18;

/// Reads YAML text. Faults that leave the tree usable (a repeated key) are returned with the tree, others without.
pub fn parse(text: &str, origin: Origin) -> (Option<Node>, Vec<(Position, FaultKind)>) {
    let mut faults = Vec::new();
    let tree = match from_str(text, DuplicateKeyPolicy::Error) {
        Err(error) => {
            let (at, kind) = fault(text, &error, origin);
            // A repeated key stops the parser. The text is read again with all keys, so that the rest of the file is
            // checked too.
            match kind {
                FaultKind::DuplicateKey { .. } => match from_str(text, DuplicateKeyPolicy::LastWins) {
                    Ok(tree) => {
                        let mut tree = node(tree, origin);
                        keep_first(&mut tree, &mut faults);
                        // Repeated keys that are numbers are merged by now; the fault of the parser is kept.
                        if faults.is_empty() {
                            faults.push((at, kind));
                        }
                        return (Some(tree), faults);
                    }
                    Err(error) => faults.extend([(at, kind), fault(text, &error, origin)]),
                },
                _ => faults.push((at, kind)),
            }
            None
        }
        Ok(tree) => Some(tree),
    };
    (tree.map(|tree| node(tree, origin)), faults)
}

/// Removes repeated keys from all maps, except the first of each, and reports them in the order of the text.
fn keep_first(node: &mut Node, faults: &mut Vec<(Position, FaultKind)>) {
    match &mut node.value {
        Value::Map(entries) => {
            let mut lines: HashMap<String, usize> = HashMap::new();
            entries.retain_mut(|entry| {
                let first = lines.get(&entry.key).copied();
                match first {
                    None => {
                        lines.insert(entry.key.clone(), entry.key_at.line);
                        keep_first(&mut entry.node, faults);
                    }
                    Some(first) => {
                        faults.push((entry.key_at, FaultKind::DuplicateKey { key: shorten(&entry.key), first }));
                    }
                }
                first.is_none()
            });
        }
        Value::List(items) => items.iter_mut().for_each(|item| keep_first(item, faults)),
        _ => {}
    }
}

fn from_str(text: &str, duplicate_keys: DuplicateKeyPolicy) -> Result<Spanned<Raw>, Error> {
    serde_saphyr::from_str_with_options(text, options(duplicate_keys))
}

fn options(duplicate_keys: DuplicateKeyPolicy) -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_events: 2 * MAX_NODES,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_REPLAYED },
        duplicate_keys: duplicate_keys,
        // `y` and `no` are names, not booleans.
        strict_booleans: true,
        // Rejected where a number is read, with the name of the key.
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    }
}

/// Translates the parser's error.
fn fault(text: &str, error: &Error, origin: Origin) -> (Position, FaultKind) {
    // The parser gives no place for an unexpected end of the text.
    let at = match error.location() {
        Some(location) if location.line() > 0 => position(location, origin),
        _ => Position { origin, line: text.lines().count().max(1), column: 1, offset: text.len(), length: 0 },
    };
    let mut cause = error.without_snippet();
    while let Error::AliasError { error, .. } = cause {
        cause = error;
    }
    let of_yaml = |message: String, help: &str| FaultKind::Yaml { message, help: help.into() };
    let kind = match cause {
        Error::DuplicateMappingKey { key, .. } => {
            FaultKind::DuplicateKey { key: shorten(key.as_deref().unwrap_or("?")), first: at.line }
        }
        Error::MultipleDocuments { .. } => {
            of_yaml("a second document begins here".into(), "a file is one document: remove the line `---`")
        }
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => of_yaml(
            format!("nested deeper than {MAX_DEPTH} levels, or more values than a diagram file may hold"),
            "look at brackets that are not closed and at what is repeated by `*name`",
        ),
        Error::UnknownAnchor { .. } => of_yaml(
            "`*name` refers to no `&name` before it".into(),
            "put a text that begins with `*` between quotes, or write `&name` before the value that is meant",
        ),
        Error::Unexpected { expected, .. } if expected.contains("string scalar") => of_yaml(
            "a key must be plain text".into(),
            "write `key: value`; a value that begins with a bracket stands behind its key",
        ),
        other => {
            let said = other.render_with_formatter(&serde_saphyr::UserMessageFormatter);
            // The place is shown at the beginning of our message.
            let message = said.rsplit_once(" at line ").map_or(said.as_str(), |(m, _)| m).into();
            FaultKind::Yaml { message, help: yaml_help::remedy(text, at.line, at.column) }
        }
    };
    (at, kind)
}

fn position(location: Location, origin: Origin) -> Position {
    let span = location.span();
    let count = |n: Option<u64>| usize::try_from(n.unwrap_or(0)).unwrap_or(0);
    Position {
        origin,
        line: count(Some(location.line())).max(1),
        column: count(Some(location.column())).max(1),
        offset: count(span.byte_offset()),
        length: count(span.byte_len()),
    }
}

/// Tree as the deserializer produces it: places are stored outside the values.
enum Raw {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

fn node(raw: Spanned<Raw>, origin: Origin) -> Node {
    let value = match raw.value {
        Raw::Null => Value::Null,
        Raw::Bool(b) => Value::Bool(b),
        Raw::Number(x) => Value::Number(x),
        Raw::Text(t) => Value::Text(t),
        Raw::List(items) => Value::List(items.into_iter().map(|item| node(item, origin)).collect()),
        Raw::Map(entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, value)| Entry {
                    key_at: position(key.referenced, origin),
                    key: key.value,
                    node: node(value, origin),
                })
                .collect(),
        ),
    };
    Node { at: position(raw.referenced, origin), value }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E: de::Error>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }
    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Number(value as f64))
    }
    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Number(value as f64))
    }
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Number(value))
    }
    fn visit_str<E: de::Error>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.into()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Raw::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Raw, A::Error> {
        let mut map = Vec::new();
        while let Some(key) = entries.next_key()? {
            map.push((key, entries.next_value()?));
        }
        Ok(Raw::Map(map))
    }
}
