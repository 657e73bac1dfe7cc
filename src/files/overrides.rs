//! Overrides: values from the command line that replace values of the file, as `--set systems.controller.kp=100`.

use super::block_type::NESTED;
use super::fault::FaultKind;
use super::loader::Loader;
use super::node::{Entry, Node, Position, Value, shorten};
use super::parameters::{PARAMETERS, keep_unit};
use super::parse::parse;
use kinegraph_core::names::nearest;
use kinegraph_diagram::copies;

/// A value from the command line, with its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The option as it was typed, for messages.
    option: String,
    /// Dotted path into the file; an item of a list is named by its number from 0 or by its `name`.
    path: String,
    /// Value as YAML.
    value: String,
    /// True if it comes from the user of the program, and may therefore name files anywhere.
    trusted: bool,
    /// Path of the block in whose nested file `path` starts; empty for the file of the command line.
    within: String,
}

/// The keys of a file.
const TOP_LEVEL: [&str; 12] = [
    "kinegraph",
    "name",
    PARAMETERS,
    "model_paths",
    "systems",
    "connections",
    "exports",
    "algebraic_loops",
    "simulation",
    "record",
    "outputs",
    "view",
];
/// Sections that an override may create if the file has none.
const OPTIONAL_SECTIONS: [&str; 2] = ["simulation", "record"];
/// Sections that an override may create in a nested file.
const OPTIONAL_KEYS_OF_NESTED: [&str; 4] = ["name", "connections", "exports", "algebraic_loops"];

impl Override {
    /// Parses `path=value`, as it follows `--set`.
    ///
    /// # Errors
    /// A message on the fault of `text`, for the usage message.
    pub fn set(text: &str) -> Result<Self, String> {
        let (path, value) =
            text.split_once('=').ok_or_else(|| "expected path=value, e.g. systems.controller.kp=100".to_owned())?;
        let path = path.trim();
        if path.is_empty() || path.split('.').any(str::is_empty) {
            return Err(format!("`{path}` is not a dotted path like systems.controller.kp"));
        }
        let (option, within) = (format!("--set {text}"), String::new());
        Ok(Override { option, path: path.into(), value: value.into(), trusted: true, within })
    }

    /// Parses `path=value` from a recording. The recording may come from another person, so the override may name only
    /// files that the diagram file itself may name.
    ///
    /// # Errors
    /// The fault of `text`; also a path or a value with `model_paths`, which would add folders.
    pub fn recorded(text: &str) -> Result<Self, String> {
        if text.contains("model_paths") {
            return Err(format!(
                "`{text}` names folders that files are read from: give it with --set, or run with --allow-outside"
            ));
        }
        Ok(Override { trusted: false, ..Self::set(text)? })
    }

    /// Creates an override from a separate option, e.g. `--accuracy 1e-4` for `simulation.accuracy`.
    pub fn flag(flag: &str, path: &str, value: &str) -> Self {
        let (option, within) = (format!("{flag} {value}"), String::new());
        Override { option, path: path.into(), value: value.into(), trusted: true, within }
    }

    /// Creates an override from a path and its value; messages call it `words`.
    pub fn flag_of(words: &str, path: &str, value: &str) -> Self {
        Override { option: format!("{words} {path}={value}"), ..Override::flag("", path, value) }
    }

    /// Text that follows `--set`.
    pub fn assignment(&self) -> String {
        format!("{}={}", self.path, self.value)
    }

    /// The dotted path.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The value as YAML.
    pub(super) fn value(&self) -> &str {
        &self.value
    }

    /// Keys of the path.
    fn keys(&self) -> Vec<String> {
        keys_of(&self.path)
    }

    /// Path of the nested file's block, followed by a dot.
    fn prefix(&self) -> String {
        if self.within.is_empty() { String::new() } else { format!("{}.", self.within) }
    }
}

/// Keys of a path; a block of a nested file may be given by its full name: `systems.left/pid.kp` is
/// `systems.left.systems.pid.kp`.
pub(super) fn keys_of(path: &str) -> Vec<String> {
    let mut keys: Vec<String> = path.split('.').map(str::to_owned).collect();
    if let [systems, block, ..] = keys.as_slice()
        && systems == "systems"
        && block.contains('/')
    {
        let full: Vec<String> = block.split('/').flat_map(|name| ["systems".to_owned(), name.to_owned()]).collect();
        keys.splice(..2, full);
    }
    keys
}

/// The path with items of lists behind points, as `pose.xyz.1`, if it has them in brackets, as `pose.xyz[1]`; but
/// copies of a diagram (`systems.wheel[1]`) are named so.
pub(super) fn without_brackets(path: &str) -> Option<String> {
    let item = |key: &str| -> Option<String> {
        let (list, item) = key.strip_suffix(']')?.split_once('[')?;
        (!list.is_empty() && !item.is_empty()).then(|| format!("{list}.{}", item.replace("][", ".")))
    };
    let is_block = |keys: &[&str], at: usize| at > 0 && keys[at - 1] == "systems";
    let keys: Vec<&str> = path.split('.').collect();
    let plain = |(at, key): (usize, &&str)| item(key).filter(|_| !is_block(&keys, at));
    let found: Vec<Option<String>> = keys.iter().enumerate().map(plain).collect();
    let whole = keys.iter().zip(&found).map(|(key, item)| item.as_deref().unwrap_or(key));
    found.iter().any(Option::is_some).then(|| whole.collect::<Vec<&str>>().join("."))
}

/// Shows the option as it is typed.
impl std::fmt::Display for Override {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.option)
    }
}

/// An override for a nested file.
#[derive(Debug)]
pub struct Deferred {
    /// The block that nests it.
    block: String,
    one: Override,
    /// Place of the override.
    at: Position,
}

impl Deferred {
    /// The override, if it is for the file that `block` nests; one for a repeated diagram is for each of its copies.
    pub fn to(&self, block: &str) -> Option<Override> {
        let is_of_all = || copies::split(block).is_some_and(|(all, _)| all == self.block);
        (self.block == block || is_of_all()).then(|| self.one.clone())
    }
}

/// Records a fault for each override of a copy that a repeated diagram does not have.
pub(super) fn report_lost(root: &Node, deferred: &[Deferred], loader: &Loader) {
    let Some(Value::Map(systems)) = root.get("systems").map(|systems| &systems.value) else { return };
    for one in deferred {
        let Some((all, _)) = copies::split(&one.block) else { continue };
        let of_all = |name: &str| copies::split(name).is_some_and(|(other, _)| other == all);
        let count = systems.iter().filter(|system| of_all(&system.key)).count();
        if systems.iter().any(|system| system.key == one.block) || count == 0 {
            continue;
        }
        let message = format!("there is no `{}`: the copies are {all}[0] to {all}[{}]", one.block, count - 1);
        loader.report(one.at, FaultKind::Override { message, valid: Vec::new(), nearest: None });
    }
}

/// Replaces and adds values, in the order given. Returns the overrides for nested files.
pub fn apply(root: &mut Node, overrides: &[Override], loader: &mut Loader) -> Vec<Deferred> {
    let mut deferred = Vec::new();
    for one in overrides {
        let origin = loader.add_override(one.option.clone(), one.trusted);
        let at = Position { origin, ..Position::default() };
        if let Some(one) = into_nested_file(root, one, at) {
            deferred.push(one);
            continue;
        }
        let (value, faults) = parse(&one.value, origin);
        for (at, kind) in faults {
            loader.report(at, kind);
        }
        let Some(value) = value else { continue };
        if let Err(kind) = replace(root, one, value, at) {
            loader.report(at, kind);
        }
    }
    deferred
}

/// Keys of a nested diagram in the outer file; every other key belongs to the nested file.
const KEYS_OF_NESTING: [&str; 5] = ["type", "file", "set", "repeat", "derivatives"];

/// Splits a path into the block whose nested file it leads into, and the path within that file.
fn into_nested_file(root: &Node, one: &Override, at: Position) -> Option<Deferred> {
    let keys = one.keys();
    let [systems, block, rest @ ..] = keys.as_slice() else { return None };
    let systems = (systems == "systems").then(|| root.get("systems"))??;
    let copy = copies::split(block).filter(|_| systems.get(block).is_none());
    let node = systems.get(copy.map_or(block, |(all, _)| all))?;
    let is_diagram = matches!(node.get("type").map(|t| &t.value), Some(Value::Text(name)) if name == NESTED);
    let mut rest = rest.to_vec();
    match rest.first_mut() {
        // The values that the file sets are those of all copies; those of one copy are set within its file.
        Some(key) if copy.is_some() && key == "set" => PARAMETERS.clone_into(key),
        Some(key) if !KEYS_OF_NESTING.contains(&key.as_str()) => {}
        _ => return None,
    }
    let within = format!("{}systems.{block}", one.prefix());
    let one = Override { within, path: rest.join("."), ..one.clone() };
    is_diagram.then(|| Deferred { block: block.clone(), one, at })
}

/// Puts a value in its place in the tree of a file.
fn replace(root: &mut Node, one: &Override, value: Node, at: Position) -> Result<(), FaultKind> {
    let mut node = root;
    let mut walked = if one.within.is_empty() { "the file".to_owned() } else { one.within.clone() };
    let keys = one.keys();
    let nested = !one.within.is_empty();
    if nested && OPTIONAL_SECTIONS.contains(&keys[0].as_str()) {
        let message = format!("`{}` of a nested file does not count: set it in the outer file", keys[0]);
        return Err(FaultKind::Override { message, valid: Vec::new(), nearest: None });
    }
    if !nested && let Some(fault) = parameter_of_a_block(node, &keys) {
        return Err(fault);
    }
    if let Some(fault) = item_that_is_not_there(node, one) {
        return Err(fault);
    }
    for (depth, key) in keys.iter().enumerate() {
        let last = depth + 1 == keys.len();
        // A new key at the top of a nested file is a parameter meant for a block. Within a block and a section every
        // key may be new: the reader of that map knows the valid keys and reports the others.
        let may_create = match depth {
            0 if nested => OPTIONAL_KEYS_OF_NESTED.contains(&key.as_str()),
            0 => last || OPTIONAL_SECTIONS.contains(&key.as_str()),
            // Names of parameters are the file's own.
            _ if keys[0] == PARAMETERS => depth > 1,
            1 => last || keys[0] != "systems",
            _ => true,
        };
        node = child(node, key, may_create, at).map_err(|stuck| stuck.at(key, &walked))?;
        walked = format!("{}{}", one.prefix(), keys[..=depth].join("."));
    }
    match keys.as_slice() {
        [first, _] if first == PARAMETERS => keep_unit(node, value),
        _ => *node = value,
    }
    Ok(())
}

/// Fault of a path with a key that is meant as an item of a list, but would make a key of a map: `xyz[1]`, or `1` where
/// the file has no list.
fn item_that_is_not_there(root: &Node, one: &Override) -> Option<FaultKind> {
    let (keys, mut node) = (one.keys(), root);
    for (depth, key) in keys.iter().enumerate() {
        let next = match &node.value {
            Value::List(items) => item_of(items, key).map(|i| &items[i]),
            _ => node.get(key),
        };
        if let Some(next) = next {
            node = next;
            continue;
        }
        // Within blocks and sections keys may be new, but those of lists.
        if depth < 2 || keys[0] == PARAMETERS || matches!(node.value, Value::List(_)) {
            return None;
        }
        let walked = |count: usize| format!("{}{}", one.prefix(), keys[..count].join("."));
        if let Some(plain) = without_brackets(&one.path).filter(|_| without_brackets(&walked(depth + 1)).is_some()) {
            let (plain, within) = (format!("{}{plain}", one.prefix()), walked(depth));
            let message =
                format!("there is no `{}` in {within}: an item of a list is named behind a point", shorten(key));
            return Some(FaultKind::Override { message, nearest: Some(plain.clone()), valid: vec![plain] });
        }
        let list = keys[depth + 1..].iter().position(|key| key.parse::<usize>().is_ok())? + depth + 1;
        let list = walked(list);
        let message = format!("the file has no list at {list}: set the whole list, as in {list}=[0, 0, 0]");
        return Some(FaultKind::Override { message, valid: Vec::new(), nearest: None });
    }
    None
}

/// Fault of a path that begins with the name of a block, or is the key of a parameter, without `systems` and the other
/// keys before it.
fn parameter_of_a_block(root: &Node, keys: &[String]) -> Option<FaultKind> {
    let (first, path) = (keys.first()?, keys.join("."));
    if TOP_LEVEL.contains(&first.as_str()) || root.get(first).is_some() {
        return None;
    }
    let Value::Map(systems) = &root.get("systems")?.value else { return None };
    let is_parameter = keys.len() == 1 && root.get(PARAMETERS).is_some_and(|all| all.get(first).is_some());
    let meant: Vec<String> = if is_parameter {
        vec![format!("{PARAMETERS}.{path}")]
    } else if systems.iter().any(|system| system.key == *first) {
        vec![format!("systems.{path}")]
    } else if keys.len() == 1 {
        let has = systems.iter().filter(|system| system.node.get(first).is_some());
        has.map(|system| format!("systems.{}.{path}", system.key)).collect()
    } else {
        Vec::new()
    };
    let nearest = meant.first().cloned()?;
    let message = format!("`{}` leads to nothing at the top of the file", shorten(&path));
    Some(FaultKind::Override { message, nearest: Some(nearest), valid: meant })
}

/// Reason why a path cannot be followed.
enum PathFault {
    /// The value has no keys or items.
    Leaf,
    /// The key or item does not exist; these exist.
    Unknown(Vec<String>),
}

impl PathFault {
    fn at(self, key: &str, walked: &str) -> FaultKind {
        match self {
            PathFault::Leaf => FaultKind::Override {
                message: format!("`{}` leads nowhere: {walked} is a plain value", shorten(key)),
                valid: Vec::new(),
                nearest: None,
            },
            PathFault::Unknown(valid) => FaultKind::Override {
                message: format!("there is no `{}` in {walked}", shorten(key)),
                nearest: nearest(key, valid.iter().map(String::as_str)),
                valid,
            },
        }
    }
}

fn child<'n>(node: &'n mut Node, key: &str, may_create: bool, at: Position) -> Result<&'n mut Node, PathFault> {
    if matches!(node.value, Value::Null) {
        node.value = Value::Map(Vec::new());
    }
    match &mut node.value {
        Value::Map(entries) => {
            let index = match entries.iter().position(|entry| entry.key == key) {
                Some(index) => index,
                None if may_create => {
                    let node = Node { at, value: Value::Null };
                    entries.push(Entry { key: key.to_owned(), key_at: at, node });
                    entries.len() - 1
                }
                None => return Err(PathFault::Unknown(entries.iter().map(|entry| entry.key.clone()).collect())),
            };
            Ok(&mut entries[index].node)
        }
        Value::List(items) => match item_of(items, key) {
            Some(index) => Ok(&mut items[index]),
            None => Err(PathFault::Unknown(names(items).collect())),
        },
        _ => Err(PathFault::Leaf),
    }
}

/// Index of the item of a list that `key` names: by its number from 0, or by its `name`.
pub(super) fn item_of(items: &[Node], key: &str) -> Option<usize> {
    let index = key.parse().ok().or_else(|| names(items).position(|name| name == key));
    index.filter(|index| *index < items.len())
}

/// Names of all items of a list.
fn names(items: &[Node]) -> impl Iterator<Item = String> + '_ {
    items.iter().enumerate().map(|(i, item)| name_of(item, i))
}

/// Name of an item of a list: its `name`, if it has one, or its index.
pub(super) fn name_of(item: &Node, index: usize) -> String {
    match item.get("name").map(|name| &name.value) {
        Some(Value::Text(name)) => name.clone(),
        _ => index.to_string(),
    }
}
