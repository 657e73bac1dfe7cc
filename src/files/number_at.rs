//! The number at a path of a diagram file with its overrides, as `--set` would replace it.

use super::catalog::Catalog;
use super::file_cache::FileCache;
use super::loader::Loader;
use super::node::{Node, Origin, Value};
use super::overrides::{self, Override, item_of};
use super::parameters::{self, PARAMETERS, declared_number};
use super::parse::parse;
use super::quantity;
use super::words::listed;
use kinegraph_core::names::{did_you_mean, nearest};
use std::path::Path;
use std::sync::Arc;

/// Largest number of names in a message.
const MAX_NAMES: usize = 12;

/// Sections of a file that are not about its blocks.
const NOT_OF_BLOCKS: [&str; 6] = ["simulation", "record", "requirements", "outputs", "gradient", "view"];

/// Reason why a path leads to no number.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` is no number of the file: {reason}")]
pub struct NoNumber {
    /// The path.
    pub path: String,
    /// The reason, with a remedy.
    pub reason: String,
}

kinegraph_core::debug_is_message!(NoNumber);

/// The number that the text of a diagram file, with `set` in place of its values, has at a dotted path
/// (`systems.controller.kp`), in the unit of its key; a number with a unit in SI units, but one of a parameter in the
/// unit in which it is written.
///
/// # Errors
/// A path that leads to nothing, to text or into another file.
pub fn number_at(text: &str, set: &[Override], path: &str) -> Result<f64, NoNumber> {
    let (root, _) = parse(text, Origin::Program);
    let Some(mut tree) = root else {
        return Err(NoNumber { path: path.to_owned(), reason: "the file has faults".into() });
    };
    let mut loader = Loader::of_program(Path::new(""));
    overrides::apply(&mut tree, set, &mut loader);
    let written = tree.clone();
    parameters::evaluate(&mut tree, &loader, None);
    // What is set in another file is not in this tree.
    let set_there = || {
        let one = set.iter().rev().find(|one| overrides::keys_of(one.path()) == overrides::keys_of(path))?;
        number(&parse(one.value(), Origin::Program).0?)
    };
    number_in(&written, &tree, path).or_else(|none| set_there().ok_or(none))
}

impl Catalog {
    /// The number at a path of the diagram file `file`, as [`number_at`].
    ///
    /// # Errors
    /// A file that cannot be read; a path that leads to no number.
    pub fn number_at(
        &self,
        file: &Path,
        set: &[Override],
        cache: &Arc<FileCache>,
        path: &str,
    ) -> Result<f64, NoNumber> {
        let text = Loader::new(file).sharing(cache).text(file);
        let text = text.map_err(|error| NoNumber { path: path.to_owned(), reason: error.to_string() })?;
        number_at(&text, set, path)
    }
}

/// The number at `path` of a tree: as `written`, or of its `values`, in which formulas are numbers.
pub(crate) fn number_in(written: &Node, values: &Node, path: &str) -> Result<f64, NoNumber> {
    let no = |reason: String| Err(NoNumber { path: path.to_owned(), reason });
    let keys = overrides::keys_of(path);
    if keys.len() == 2
        && keys[0] == PARAMETERS
        && let Some(node) = node_at(written, &keys)
    {
        let number = declared_number(node).map(|(number, _)| number);
        let formula = || "it is a formula: differentiate by the parameters that it is made of".to_owned();
        return number.map_or_else(|| no(formula()), Ok);
    }
    if keys.first().is_some_and(|first| NOT_OF_BLOCKS.contains(&first.as_str())) {
        return no(format!("`{}` is about the run: differentiate by `parameters` or `systems`", keys[0]));
    }
    let mut node = values;
    for (depth, key) in keys.iter().enumerate() {
        let next = match &node.value {
            Value::List(items) => item_of(items, key).map(|i| &items[i]),
            _ => node.get(key),
        };
        match next {
            Some(next) => node = next,
            None => return no(missing(values, node, &keys, depth)),
        }
    }
    if let Some(number) = number(node) {
        return Ok(number);
    }
    match &node.value {
        Value::List(items) => no(match items.len() {
            0 => "it is an empty list".into(),
            1 => format!("it is a list: name its number, `{path}.0`"),
            count => format!("it is a list: name one of its items, `{path}.0` to `{path}.{}`", count - 1),
        }),
        Value::Map(entries) => {
            let within: Vec<String> = entries.iter().map(|entry| format!("`{}`", entry.key)).collect();
            no(format!("name one of its keys: {}", listed(&within[..within.len().min(MAX_NAMES)])))
        }
        other => no(format!("it is {}", other.describe())),
    }
}

/// Text on a key that is not there, with the number that may be meant.
fn missing(root: &Node, at: &Node, keys: &[String], depth: usize) -> String {
    let (path, walked) = (keys.join("."), keys[..depth].join("."));
    let mut all = Vec::new();
    numbers(root, "", &mut all);
    let ending = format!(".{path}");
    let within = format!("{walked}.");
    let near = all.iter().find(|one| one.ends_with(&ending)).cloned().or_else(|| {
        let beside: Vec<&String> = all.iter().filter(|one| depth == 0 || one.starts_with(&within)).collect();
        nearest(&path, beside)
    });
    let is_file_inside = || at.get("file").is_some() || keys.iter().any(|key| key == "models") || path.contains('/');
    let given = format!("give its value, as in {path}=1");
    if let Value::List(items) = &at.value {
        return format!("{walked} has the items 0 to {}", items.len().max(1) - 1);
    }
    let last = keys.len() - 1;
    if keys[last].parse::<usize>().is_ok() && depth > 1 {
        let list = keys[..last].join(".");
        return format!("the file has no list at {list}: write it there, then its numbers are `{list}.0` and so on");
    }
    let place = if walked.is_empty() { "at the top of the file".to_owned() } else { format!("in {walked}") };
    match near {
        Some(near) => {
            let meant = did_you_mean(&Some(near));
            let has_defaults = keys[0] != PARAMETERS;
            let advice = if has_defaults { format!(" If it has a default, {given}") } else { String::new() };
            format!("there is no `{}` {place}{meant}{advice}", keys[depth])
        }
        None if depth > 1 && is_file_inside() => format!("it stands in another file, or has a default: {given}"),
        None if depth > 1 => format!("there is no `{}` {place}: if it has a default, {given}", keys[depth]),
        None => {
            let shown: Vec<String> = all.iter().take(MAX_NAMES).map(|one| format!("`{one}`")).collect();
            format!("there is no `{}` {place}; numbers are {}", keys[depth], listed(&shown))
        }
    }
}

/// Paths of all numbers.
fn numbers(node: &Node, path: &str, found: &mut Vec<String>) {
    let within = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match &node.value {
        _ if number(node).is_some() => found.push(path.to_owned()),
        Value::List(items) => {
            items.iter().enumerate().for_each(|(i, item)| numbers(item, &within(&i.to_string()), found))
        }
        Value::Map(entries) => {
            let meant =
                entries.iter().filter(|entry| !path.is_empty() || ["parameters", "systems"].contains(&&*entry.key));
            meant.for_each(|entry| numbers(&entry.node, &within(&entry.key), found));
        }
        _ => {}
    }
}

fn node_at<'n>(root: &'n Node, keys: &[String]) -> Option<&'n Node> {
    keys.iter().try_fold(root, |node, key| match &node.value {
        Value::List(items) => items.get(item_of(items, key)?),
        _ => node.get(key),
    })
}

fn number(node: &Node) -> Option<f64> {
    match &node.value {
        Value::Number(number) => Some(*number),
        Value::Map(_) => node.get("default").and_then(number),
        other => quantity::in_si(other),
    }
}

/// The text with other numbers at some paths, and those that it does not have as plain numbers.
pub fn with_numbers(text: &str, values: &[(String, f64)]) -> (String, Vec<(String, f64)>) {
    let mut left = Vec::new();
    let mut places = Vec::new();
    let (root, _) = parse(text, Origin::Program);
    for (path, value) in values {
        let node = root.as_ref().and_then(|root| node_at(root, &overrides::keys_of(path)));
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
    let node = node_at(&root, &overrides::keys_of(path))?;
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
