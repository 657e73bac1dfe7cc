//! Puts the values of parameters and formulas into the tree of a file, and copies in place of repeated diagrams.

use super::keys::{MAX_COPIES, PARAMETERS, REPEAT};
use super::table::Table;
use super::written::{Reading, Text};
use crate::block_type::NESTED;
use crate::item::Path;
use crate::node::{Entry, Node, Value};
use kinegraph_diagram::copies;

/// Replaces formulas everywhere but in the parameters, which have their values already.
pub(super) fn substitute(tree: &mut Node, table: &mut Table<'_>) {
    let Value::Map(entries) = &mut tree.value else { return };
    for entry in entries.iter_mut().filter(|entry| entry.key != PARAMETERS) {
        let path = Path::Key(&Path::Root, &entry.key);
        match &mut entry.node.value {
            Value::Map(systems) if entry.key == "systems" => *systems = with_copies(systems, &path, table),
            _ => walk(&mut entry.node, &path, table),
        }
    }
}

/// Keys whose texts are formulas of a block or conditions, which a run evaluates: `$name` in them is a number.
const FORMULA_KEYS: [&str; 3] = ["expression", "states", "if"];

fn walk(node: &mut Node, path: &Path<'_>, table: &mut Table<'_>) {
    let at = node.at;
    match &mut node.value {
        Value::Map(entries) => {
            for entry in entries {
                let path = Path::Key(path, &entry.key);
                if FORMULA_KEYS.contains(&&*entry.key) {
                    put_into_formulas(&mut entry.node, &path, table);
                }
                walk(&mut entry.node, &path, table);
            }
        }
        Value::List(items) => {
            for (i, item) in items.iter_mut().enumerate() {
                walk(item, &Path::Index(path, i), table);
            }
        }
        Value::Text(text) => {
            let Reading::Formula(formula) = Text::read(text, at, path, table.loader) else { return };
            let Some(derived) = table.value(&formula, at, path) else { return };
            if let Some(unit) = table.unit_of(&formula) {
                table.loader.derivations().made_in(at, unit.clone());
            }
            table.loader.derivations().made(at, table.copy, derived.from);
            node.value = Value::Number(derived.value);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Puts the values of parameters into the texts of formulas that a run evaluates: `a > $limit` becomes `a > (2.5)`. The
/// inputs of a state machine may be written `$input.name`; they stay.
fn put_into_formulas(node: &mut Node, path: &Path<'_>, table: &mut Table<'_>) {
    let at = node.at;
    match &mut node.value {
        Value::Map(entries) => {
            entries.iter_mut().for_each(|e| put_into_formulas(&mut e.node, &Path::Key(path, &e.key), table));
        }
        Value::List(items) => {
            items.iter_mut().enumerate().for_each(|(i, item)| put_into_formulas(item, &Path::Index(path, i), table));
        }
        Value::Text(text) if text.contains('$') && !text.trim_start().starts_with('=') => {
            let mut put = String::with_capacity(text.len());
            let mut rest = text.as_str();
            while let Some(dollar) = rest.find('$') {
                put.push_str(&rest[..dollar]);
                let name: String =
                    rest[dollar + 1..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let (reference, behind) = rest[dollar..].split_at(1 + name.len());
                let is_input = name == "input" && behind.starts_with('.');
                let formula = (!is_input && !name.is_empty()).then(|| Text::read(reference, at, path, table.loader));
                match formula {
                    Some(Reading::Formula(formula)) => match table.value(&formula, at, path) {
                        Some(derived) => put.push_str(&format!("({})", derived.value)),
                        // The fault was recorded; any number keeps it the only one.
                        None => put.push('1'),
                    },
                    _ => put.push_str(reference),
                }
                rest = behind;
            }
            put.push_str(rest);
            *text = put;
        }
        _ => {}
    }
}

/// The blocks with their values, and each repeated diagram as its copies.
fn with_copies(systems: &mut Vec<Entry>, path: &Path<'_>, table: &mut Table<'_>) -> Vec<Entry> {
    let mut all = Vec::with_capacity(systems.len());
    for mut entry in std::mem::take(systems) {
        let path = Path::Key(path, &entry.key);
        let is_diagram =
            matches!(entry.node.get("type").map(|name| &name.value), Some(Value::Text(name)) if name == NESTED);
        let is_repeated = is_diagram && entry.node.get(REPEAT).is_some();
        if let Value::Map(keys) = &mut entry.node.value
            && let Some(repeat) = keys.iter_mut().find(|key| key.key == REPEAT && is_repeated)
        {
            walk(&mut repeat.node, &Path::Key(&path, REPEAT), table);
        }
        // A wrong number of copies is a fault that the reader of the block reports; of its one copy the rest is read.
        let count = entry.node.get(REPEAT).filter(|_| is_repeated).and_then(copies_of);
        for copy in 0..count.unwrap_or(1) {
            table.copy = is_repeated.then_some(copy);
            let mut one = Entry { key: entry.key.clone(), key_at: entry.key_at, node: entry.node.clone() };
            walk(&mut one.node, &path, table);
            if count.is_some() {
                one.key = copies::name(&entry.key, copy);
            }
            all.push(one);
        }
        table.copy = None;
    }
    all
}

/// Number of copies, if it is a valid one.
fn copies_of(node: &Node) -> Option<usize> {
    match node.value {
        Value::Number(x) if x.fract() == 0.0 && (1.0..=MAX_COPIES as f64).contains(&x) => Some(x as usize),
        _ => None,
    }
}
