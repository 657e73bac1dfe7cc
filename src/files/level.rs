//! Numbers that may be written with their unit: `0.9`, `5 mm`, `2 s`.

use super::decode::NUMBER;
use super::item::{Decode, Item};
use super::node::{Position, Value};
use super::quantity;
use kinegraph_core::unit::Unit;

/// A number in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The number.
    pub value: f64,
    /// Its unit in SI symbols, if it is written with one.
    pub unit: Option<String>,
    /// Its place.
    pub at: Position,
    /// Its path in the file.
    pub path: String,
}

/// Decoder of a number, with or without its unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct WithUnit;

impl Decode for WithUnit {
    type Output = Level;
    fn expects(&self) -> String {
        "a number, with or without its unit".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Level> {
        let level = |value, unit| Level { value, unit, at: item.node.at, path: item.path.to_string() };
        match &item.node.value {
            Value::Text(text) => match quantity::split(text) {
                Some((number, unit)) => match Unit::read(unit) {
                    Some(unit) => Some(level(unit.to_si(number), Some(unit.name))).filter(|one| one.value.is_finite()),
                    None => {
                        item.wrong("a unit of SI symbols, such as `m`, `rad/s` or `N m`");
                        None
                    }
                },
                None => {
                    item.wrong(self.expects());
                    None
                }
            },
            Value::Number(_) => NUMBER.decode(item).map(|value| level(value, None)),
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}

/// Decoder of a time \[s\].
#[derive(Clone, Copy, Debug)]
pub(super) struct Time;

impl Decode for Time {
    type Output = f64;
    fn expects(&self) -> String {
        "a time that is not negative, in seconds or with its unit, such as `20 ms`".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<f64> {
        let level = match &item.node.value {
            Value::Number(_) | Value::Text(_) => WithUnit.decode(item)?,
            _ => {
                item.wrong(self.expects());
                return None;
            }
        };
        if level.value >= 0.0 && level.unit.as_ref().is_none_or(|unit| unit == "s") {
            return Some(level.value);
        }
        item.wrong(self.expects());
        None
    }
}

/// Two units of one kind: those with the same name in SI symbols. A unit that is not known is like any.
pub fn alike(a: &str, b: &str) -> bool {
    let name = |unit: &str| Unit::read(unit).map(|unit| unit.name);
    match (name(a), name(b)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}
