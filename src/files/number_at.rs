//! The number at a path of a diagram file, as `--set` would replace it.

use super::node::{Node, Origin, Value};
use super::overrides::item_of;
use super::parse::parse;
use super::quantity;

/// The number that the text of a diagram file has at a dotted path (`systems.controller.kp`), in the unit of its key; a
/// number with a unit in SI units. `None` if there is none: the path leads to nothing, to text or into another file.
pub fn number_at(text: &str, path: &str) -> Option<f64> {
    let (root, _) = parse(text, Origin::Program);
    let mut node = &root?;
    for key in path.split('.') {
        node = match &node.value {
            Value::List(items) => items.get(item_of(items, key)?)?,
            _ => node.get(key)?,
        };
    }
    number(node).or_else(|| node.get("default").and_then(number))
}

fn number(node: &Node) -> Option<f64> {
    match &node.value {
        Value::Number(number) => Some(*number),
        other => quantity::in_si(other),
    }
}
