//! Numbers in a diagram file, by their paths as in `--set`.

use super::loader::Loader;
use super::node::{Node, Origin, Value};
use super::overrides::{self, Override};
use super::parameters::{PARAMETERS, declared_number};
use super::parse::parse;
use super::quantity;
use std::path::Path;

/// Maximum length of a list; longer lists are tables that are not edited by hand.
const MAX_LENGTH: usize = 16;
/// Maximum count of numbers; a file with more contains data, and only the first are listed.
const MAX_NUMBERS: usize = 500;
/// Keys of a file that do not affect a run.
const OTHERS: [&str; 5] = ["kinegraph", "requirements", "gradient", "fit", "view"];

/// A number of a file, or a list of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct FileNumber {
    /// Its path (`systems.controller.kp`).
    pub path: String,
    /// Its meaning and unit, where the file says them.
    pub about: String,
    /// Its values.
    pub values: Vec<f64>,
    /// True if it is written as a list.
    pub is_list: bool,
}

impl FileNumber {
    /// Numbers in the text of a file without faults, with `set` in place of its values: first the parameters, in the
    /// units in which they are written.
    pub fn of(text: &str, set: &[Override]) -> Vec<Self> {
        let (Some(mut tree), _) = parse(text, Origin::File) else { return Vec::new() };
        overrides::apply(&mut tree, set, &mut Loader::of_program(Path::new("")));
        let mut found = parameters(&tree);
        collect(&tree, "", &mut found);
        found.truncate(MAX_NUMBERS);
        found
    }

    /// Override that sets the number to `values`; `None` if the count differs or a value is not finite.
    pub fn replaced_by(&self, values: &[f64]) -> Option<Override> {
        let fits = values.len() == self.values.len() && values.iter().all(|x| x.is_finite());
        let text = match values {
            [value] if !self.is_list => format!("{value:?}"),
            values => format!("{values:?}"),
        };
        fits.then(|| Override::set(&format!("{}={text}", self.path)).ok())?
    }
}

/// Parameters that are numbers, not formulas.
fn parameters(tree: &Node) -> Vec<FileNumber> {
    let Some(Value::Map(entries)) = tree.get(PARAMETERS).map(|all| &all.value) else { return Vec::new() };
    let number = |(name, (value, about)): (&str, (f64, String))| FileNumber {
        path: format!("{PARAMETERS}.{name}"),
        about,
        values: vec![value],
        is_list: false,
    };
    let declared = entries.iter().filter_map(|entry| Some((entry.key.as_str(), declared_number(&entry.node)?)));
    declared.map(number).collect()
}

fn collect(node: &Node, path: &str, found: &mut Vec<FileNumber>) {
    if found.len() >= MAX_NUMBERS {
        return;
    }
    let number = |node: &Node| match node.value {
        Value::Number(x) if x.is_finite() => Some(x),
        _ => quantity::in_si(&node.value),
    };
    let within = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match &node.value {
        // A bare number in its place would be in the unit of the parameter that is set.
        Value::Text(_) if path.rsplit('.').nth(1) == Some("set") => {}
        Value::Number(_) | Value::Text(_) => {
            let values: Option<Vec<f64>> = number(node).map(|x| vec![x]);
            found.extend(values.map(|values| FileNumber {
                path: path.to_owned(),
                about: String::new(),
                values,
                is_list: false,
            }));
        }
        Value::List(items) if !items.is_empty() && items.iter().all(|item| number(item).is_some()) => {
            let values: Vec<f64> = items.iter().filter_map(number).collect();
            let one = FileNumber { path: path.to_owned(), about: String::new(), values, is_list: true };
            found.extend((items.len() <= MAX_LENGTH).then_some(one));
        }
        Value::List(items) => items.iter().enumerate().for_each(|(i, item)| {
            // Tables within tables are data.
            if matches!(item.value, Value::Map(_)) {
                let name = match item.get("name").map(|name| &name.value) {
                    Some(Value::Text(name)) if is_key(name) => name.clone(),
                    _ => i.to_string(),
                };
                collect(item, &within(&name), found);
            }
        }),
        Value::Map(entries) => {
            let meant = |key: &str| is_key(key) && !(path.is_empty() && (OTHERS.contains(&key) || key == PARAMETERS));
            let entries = entries.iter().filter(|entry| meant(&entry.key));
            entries.for_each(|entry| collect(&entry.node, &within(&entry.key), found));
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// True if a path can contain the key.
fn is_key(key: &str) -> bool {
    !key.is_empty() && !key.contains(['.', '=', '/'])
}
