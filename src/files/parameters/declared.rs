//! The declarations of parameters: `m: 2`, `m: 2 kg`, `m: {default: 2 kg, range: [0.1, 50], about: mass of the cart}`.

use super::keys::PARAMETERS;
use super::written::{EXPECTED, Written, is_parameter_name};
use crate::decode::Text;
use crate::fault::FaultKind;
use crate::item::{Decode, Item, Path};
use crate::lists::{ListOf, Placed};
use crate::loader::Loader;
use crate::node::{Entry, Node, Position, Value, shorten};
use crate::parameter::{Key, Needs, Optional, needs, optional};
use crate::reader::Reader;
use kinegraph_core::unit::Unit;

/// A parameter as it is declared.
#[derive(Debug)]
pub(super) struct Declared {
    pub name: String,
    /// Place of its name.
    pub at: Position,
    /// Its value; `None` after a fault was recorded.
    pub value: Option<Placement>,
    /// Unit of a number without one.
    pub unit: Option<Unit>,
    /// Smallest and largest value.
    pub range: Option<[Placement; 2]>,
    /// Its meaning.
    pub about: String,
}

/// A value with its place.
#[derive(Debug)]
pub(super) struct Placement {
    pub at: Position,
    pub written: Written,
}

/// Maximum number of parameters of a file.
const MAX_PARAMETERS: usize = 1000;

const DEFAULT: Needs<Placed<WrittenValue>> = needs("default", Placed(WrittenValue), "its value");
const RANGE: Optional<ListOf<Placed<WrittenValue>>> = optional(
    "range",
    ListOf { each: Placed(WrittenValue), about: "the smallest and the largest value, such as `[0.1, 50]`" },
    "any",
    "smallest and largest value",
);
const UNIT: Optional<Text> =
    optional("unit", Text { about: "a unit, such as `kg`" }, "that of `default`", "unit of numbers without one");
const ABOUT: Optional<Text> = optional("about", Text { about: "the meaning of the parameter" }, "none", "its meaning");

/// Reads `parameters`, and records its faults.
pub(super) fn read(parameters: Option<&Node>, loader: &Loader) -> Vec<Declared> {
    let Some(node) = parameters else { return Vec::new() };
    let path = Path::Key(&Path::Root, PARAMETERS);
    let item = Item { node, path: &path, loader, ranges: &[] };
    let Value::Map(entries) = &node.value else {
        item.wrong("parameters with their values, such as `{m: 2 kg}`");
        return Vec::new();
    };
    if entries.len() > MAX_PARAMETERS {
        item.wrong_found(format!("at most {MAX_PARAMETERS} parameters"), entries.len().to_string());
        return Vec::new();
    }
    entries.iter().filter_map(|entry| one(entry, item)).collect()
}

fn one(entry: &Entry, all: Item<'_>) -> Option<Declared> {
    let path = Path::Key(all.path, &entry.key);
    let item = Item { node: &entry.node, path: &path, ..all };
    if let Some(message) = refused(&entry.key) {
        all.loader.report(entry.key_at, FaultKind::Conflict { path: path.to_string(), message });
        return None;
    }
    let (name, at) = (entry.key.clone(), entry.key_at);
    if !matches!(entry.node.value, Value::Map(_)) {
        let value = WrittenValue.decode(item).map(|written| Placement { at: entry.node.at, written });
        let unit = value.as_ref().and_then(own_unit).cloned();
        return Some(Declared { name, at, value, unit, range: None, about: String::new() });
    }
    let mut reader = Reader::new(item)?;
    let r = &mut reader;
    let (default, range, unit, about) = (r.get(&DEFAULT), r.get(&RANGE), r.get(&UNIT), r.get(&ABOUT));
    let placed = |(at, written)| Placement { at, written };
    let mut value = default.map(placed);
    let unit = unit.and_then(|text| {
        let unit = Unit::read(&text);
        if unit.is_none() {
            r.wrong(UNIT, "a unit of SI symbols, such as `kg`, `N m`, `kg m^2` or `rad/s`", format!("`{text}`"));
        }
        unit
    });
    let own = value.as_ref().and_then(own_unit).cloned();
    if let (Some(own), Some(unit)) = (&own, &unit)
        && !own.gives(unit.dimension)
    {
        r.conflict(DEFAULT, format!("the value is in {}, but `{}` says {}", own.name, UNIT.key(), unit.name));
        // What follows from it is no other fault.
        value = None;
    }
    let range = range.and_then(|values| {
        let count = values.len();
        let range: Option<[Placement; 2]> = values.into_iter().map(placed).collect::<Vec<_>>().try_into().ok();
        if range.is_none() {
            r.wrong(RANGE, "two numbers, the smallest and the largest value", format!("a list of {count}"));
        }
        range
    });
    reader.finish();
    Some(Declared { name, at, value, unit: unit.or(own), range, about: about.unwrap_or_default() })
}

fn own_unit(value: &Placement) -> Option<&Unit> {
    match &value.written {
        Written::Quantity(_, unit) => Some(unit),
        _ => None,
    }
}

/// Message about a name that a parameter cannot have.
fn refused(name: &str) -> Option<String> {
    let shown = shorten(name);
    match name {
        "t" => Some("`t` is the time, and no parameter: choose another name".into()),
        "pi" => Some("`pi` is a number already: choose another name".into()),
        "index" => Some("`$index` is the number of a copy of a repeated diagram: choose another name".into()),
        _ if name.contains('-') && is_parameter_name(&name.replace('-', "_")) => {
            let meant = name.replace('-', "_");
            Some(format!("`{shown}` would be a difference in a formula: write `{meant}`"))
        }
        _ if is_parameter_name(name) => None,
        _ => Some(format!(
            "`{shown}` is not the name of a parameter: letters, digits and `_` are, beginning with a letter"
        )),
    }
}

/// Decoder of a value as it is written.
#[derive(Clone, Copy)]
struct WrittenValue;

impl Decode for WrittenValue {
    type Output = Written;
    fn expects(&self) -> String {
        EXPECTED.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Written> {
        Written::read(item.node, item.path, item.loader)
    }
}
