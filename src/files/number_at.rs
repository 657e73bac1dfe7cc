//! The number at a path of a diagram file with its overrides, as `--set` would replace it.

use super::node::{Node, Origin, Position, Value};
use super::overrides::{Override, item_of, replace};
use super::parse::parse;
use super::quantity;

/// The number that the text of a diagram file has at a dotted path (`systems.controller.kp`) after the overrides, in
/// the unit of its key; a number with a unit in SI units. `None` if there is none: the path leads to nothing, to text
/// or into another file where no override leads.
pub fn number_at(text: &str, overrides: &[Override], path: &str) -> Option<f64> {
    let (root, _) = parse(text, Origin::Program);
    let mut root = root?;
    let given = |one: &Override| parse(one.value(), Origin::Program).0;
    for one in overrides {
        if let Some(value) = given(one) {
            // Faults of overrides are reported where the file is read.
            let _ = replace(&mut root, one, value, Position::default());
        }
    }
    let of = |node: &Node| number(node).or_else(|| node.get("default").and_then(number));
    node_at(&root, path)
        .and_then(of)
        .or_else(|| overrides.iter().rev().find(|one| one.path() == path).and_then(given).and_then(|node| of(&node)))
}

fn node_at<'n>(root: &'n Node, path: &str) -> Option<&'n Node> {
    path.split('.').try_fold(root, |node, key| match &node.value {
        Value::List(items) => items.get(item_of(items, key)?),
        _ => node.get(key),
    })
}

fn number(node: &Node) -> Option<f64> {
    match &node.value {
        Value::Number(number) => Some(*number),
        other => quantity::in_si(other),
    }
}

/// The text with other numbers at some paths, and those that it does not have as plain numbers.
pub fn with_numbers(text: &str, values: &[(String, f64)]) -> (String, Vec<(String, f64)>) {
    let mut left = Vec::new();
    let mut places = Vec::new();
    let (root, _) = parse(text, Origin::Program);
    for (path, value) in values {
        let node = root.as_ref().and_then(|root| node_at(root, path));
        let node = node.map(|node| node.get("default").unwrap_or(node));
        match node.filter(|node| matches!(node.value, Value::Number(_))) {
            Some(node) => places.push((node.at.line, node.at.column, *value)),
            None => left.push((path.clone(), *value)),
        }
    }
    // From the end, so that places before stay.
    places.sort_by_key(|(line, column, _)| (std::cmp::Reverse(*line), std::cmp::Reverse(*column)));
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for (line, column, value) in places {
        let Some(own) = lines.get_mut(line.saturating_sub(1)) else { continue };
        let from = own.char_indices().nth(column.saturating_sub(1)).map_or(own.len(), |(at, _)| at);
        let is_end = |c: char| matches!(c, ',' | '}' | ']' | '#' | ' ' | '\t' | '\r');
        let to = own[from..].find(is_end).map_or(own.len(), |length| from + length);
        own.replace_range(from..to, &format!("{value:?}"));
    }
    (lines.join("\n"), left)
}

/// The text with more entries at the head of the map at a path, each a key and its value as YAML in one line; `None` if
/// there is no map at the path, or it has one of the keys.
pub fn with_entries(text: &str, path: &str, entries: &[(&str, String)]) -> Option<String> {
    let (root, _) = parse(text, Origin::Program);
    let root = root?;
    let node = node_at(&root, path)?;
    if !matches!(node.value, Value::Map(_)) || entries.iter().any(|(key, _)| node.get(key).is_some()) {
        return None;
    }
    let line = text.split('\n').nth(node.at.line.checked_sub(1)?)?;
    let column = node.at.column.checked_sub(1)?;
    let from = line.char_indices().nth(column).map(|(at, _)| at)?;
    let before = text.split('\n').take(node.at.line - 1).map(|line| line.len() + 1).sum::<usize>() + from;
    let is_flow = text[before..].starts_with('{');
    let own = |(key, value): &(&str, String)| match is_flow {
        true => format!("{key}: {value}, "),
        false => format!("{key}: {value}\n{}", " ".repeat(column)),
    };
    let added: String = entries.iter().map(own).collect();
    let at = before + usize::from(is_flow);
    Some(format!("{}{added}{}", &text[..at], &text[at..]))
}
