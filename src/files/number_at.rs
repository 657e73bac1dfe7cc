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
use kinegraph_core::unit::Unit;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Largest number of names in a message.
const MAX_NAMES: usize = 12;

/// Sections of a file that are not about its blocks.
const NOT_OF_BLOCKS: [&str; 7] = ["simulation", "record", "requirements", "outputs", "gradient", "fit", "view"];

/// Reason why a path leads to no number.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` is no number of the file: {reason}{}", with_value(given, path))]
pub struct NoNumber {
    /// The path.
    pub path: String,
    /// The reason, with a remedy.
    pub reason: String,
    /// Words that lead over to an example with a value, where the number may be one that the file does not state.
    pub given: Option<String>,
}

fn with_value(given: &Option<String>, path: &str) -> String {
    given.as_ref().map_or_else(String::new, |words| format!("{words}give its value, as in {path}=1"))
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
        return Err(no_number(path, "the file has faults".into()));
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
        let text = text.map_err(|error| no_number(path, error.to_string()))?;
        number_at(&text, set, path)
    }
}

fn no_number(path: &str, reason: String) -> NoNumber {
    NoNumber { path: path.to_owned(), reason, given: None }
}

/// The number at `path` of a tree: as `written`, or of its `values`, in which formulas are numbers.
pub(crate) fn number_in(written: &Node, values: &Node, path: &str) -> Result<f64, NoNumber> {
    let no = |reason: String| Err(no_number(path, reason));
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
            None => {
                let (reason, given) = missing(values, node, &keys, depth);
                return Err(NoNumber { path: path.to_owned(), reason, given });
            }
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

/// Text on a key that is not there, with the number that may be meant; and words that lead over to its value, where
/// it may have a default.
fn missing(root: &Node, at: &Node, keys: &[String], depth: usize) -> (String, Option<String>) {
    let (path, walked, last) = (keys.join("."), keys[..depth].join("."), keys.len() - 1);
    if let Some(plain) = overrides::without_brackets(&path) {
        return (format!("an item of a list is named by its number behind a point: `{plain}`"), None);
    }
    if let Value::List(items) = &at.value {
        let reason = match items.len() {
            0 => format!("{walked} is an empty list"),
            1 => format!("{walked} has the item 0 alone"),
            count => format!("{walked} has the items 0 to {}", count - 1),
        };
        return (reason, None);
    }
    let mut all = Vec::new();
    numbers(root, "", &mut all);
    let ending = format!(".{path}");
    let within = format!("{walked}.");
    let near = all.iter().find(|one| one.ends_with(&ending)).cloned().or_else(|| {
        let beside: Vec<&String> = all.iter().filter(|one| depth == 0 || one.starts_with(&within)).collect();
        nearest(&path, beside)
    });
    let is_file_inside = || at.get("file").is_some() || keys.iter().any(|key| key == "models") || path.contains('/');
    if keys[last].parse::<usize>().is_ok() && depth > 1 {
        let list = keys[..last].join(".");
        let reason = match near {
            Some(near) => format!("the file has no list at {list}{}", did_you_mean(&Some(near))),
            None => {
                format!("the file has no list at {list}: write it there, then its numbers are `{list}.0` and so on")
            }
        };
        return (reason, None);
    }
    let place = if walked.is_empty() { "at the top of the file".to_owned() } else { format!("in {walked}") };
    let missing = format!("there is no `{}` {place}", keys[depth]);
    let of_list = format!(" (if that is a list, write it in the file, and name a number of it: `{path}.0`)");
    match near {
        Some(near) => {
            let given = (keys[0] != PARAMETERS).then(|| " If it has a default, ".to_owned());
            (format!("{missing}{}", did_you_mean(&Some(near))), given)
        }
        None if depth > 1 && is_file_inside() => {
            ("it stands in another file, or has a default".into(), Some(format!("{of_list}: ")))
        }
        None if depth > 1 => (missing, Some(format!(": if it has a default{of_list}, "))),
        None => {
            let shown: Vec<String> = all.iter().take(MAX_NAMES).map(|one| format!("`{one}`")).collect();
            (format!("{missing}; numbers are {}", listed(&shown)), None)
        }
    }
}

/// Paths of all numbers.
fn numbers(node: &Node, path: &str, found: &mut Vec<String>) {
    let within = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match &node.value {
        _ if number(node).is_some() => found.push(path.to_owned()),
        Value::List(items) => {
            items.iter().enumerate().for_each(|(i, item)| numbers(item, &within(&overrides::name_of(item, i)), found))
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

/// The text with other numbers at some paths, and those that it does not have as numbers. A number with a unit keeps
/// its unit: the value of a parameter is in it, any other in SI units.
pub fn with_numbers(text: &str, values: &[(String, f64)]) -> (String, Vec<(String, f64)>) {
    let mut left = Vec::new();
    let mut places = Vec::new();
    let (root, _) = parse(text, Origin::Program);
    for (path, value) in values {
        let keys = overrides::keys_of(path);
        let node = root.as_ref().and_then(|root| node_at(root, &keys));
        let node = node.map(|node| node.get("default").unwrap_or(node));
        match node.and_then(|node| replacement(text, node, &keys, *value)) {
            Some(place) => places.push(place),
            None => left.push((path.clone(), *value)),
        }
    }
    // From the end, so that places before stay.
    places.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut written = text.to_owned();
    for (place, number) in places {
        written.replace_range(place, &format!("{number:?}"));
    }
    (written, left)
}

/// Place of the number of a node in the text \[bytes\], and the number that stands there in its unit if it is `value`;
/// `None` if the node is no number that stands there.
fn replacement(text: &str, node: &Node, keys: &[String], value: f64) -> Option<(Range<usize>, f64)> {
    let (place, value) = match &node.value {
        Value::Number(_) => (node.at.offset..node.at.offset + node.at.length, value),
        Value::Text(written) => {
            let (_, unit) = quantity::split(written)?;
            let number = written.trim().strip_suffix(unit)?.trim_end();
            let value = match keys {
                [first, _] if first == PARAMETERS => value,
                // A number there is in the unit of the parameter that is set.
                [.., set, _] if set == "set" => return None,
                _ => Unit::read(unit)?.from_si(value),
            };
            let from = node.at.column_of(written, 1).offset + written.find(number)?;
            (from..from + number.len(), value)
        }
        _ => return None,
    };
    let is_number = text.get(place.clone()).is_some_and(|there| there.replace('_', "").parse::<f64>().is_ok());
    is_number.then_some((place, value))
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
