//! Numbers of a block that may change during a run.

use super::item::{IfMissing, Parameter};
use super::node::{Node, Value};
use super::quantity;

/// A number, or a list of numbers, that may change during a run.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveNumber {
    /// Its key; within a map of the block, preceded by the key of that map (`contact.static_friction`).
    pub key: String,
    /// Its meaning, with its unit.
    pub about: &'static str,
    /// Values in the file, or the default.
    pub values: Vec<f64>,
    /// True if it is written as a list.
    pub is_list: bool,
}

impl LiveNumber {
    /// Numbers of a parameter that may change. `found` is the value of its key: the number itself, or a map with such
    /// numbers. Empty if there is no number.
    pub(super) fn of(parameter: &Parameter, found: Option<&Node>) -> Vec<Self> {
        if parameter.keys.is_empty() {
            return Self::one(parameter, found).into_iter().collect();
        }
        let live = parameter.keys.iter().filter(|inner| inner.is_live);
        let numbers = live.flat_map(|inner| Self::of(inner, found.and_then(|map| map.get(inner.key))));
        numbers.map(|number| LiveNumber { key: format!("{}.{}", parameter.key, number.key), ..number }).collect()
    }

    fn one(parameter: &Parameter, found: Option<&Node>) -> Option<Self> {
        let number = |node: &Node| match node.value {
            Value::Number(x) => Some(x),
            _ => quantity::in_si(&node.value),
        };
        let (values, is_list) = match (found.map(|node| &node.value), &parameter.if_missing) {
            (Some(Value::Number(x)), _) => (vec![*x], false),
            (Some(text @ Value::Text(_)), _) => (vec![quantity::in_si(text)?], false),
            (Some(Value::List(nodes)), _) => (nodes.iter().map(number).collect::<Option<_>>()?, true),
            (None, IfMissing::Value(text)) => (vec![text.parse().ok()?], false),
            _ => return None,
        };
        Some(LiveNumber { key: parameter.key.to_owned(), about: parameter.about, values, is_list })
    }
}
