//! The table of states of a state machine: `hold: {gain: 9, to: [{search: "speed > 1"}]}`.

use super::fault::FaultKind;
use super::form::{Item, Position, Value};
use super::item::Path;
use super::node::{Entry, Node, show_number};
use kinegraph_systems::control::{MachineState, StatePart};

/// A state with the places of its parts.
#[derive(Debug)]
pub struct StateEntry {
    name: String,
    at: Position,
    outputs: Vec<(String, Vec<String>, Position)>,
    enter: Vec<(String, String, Position)>,
    exit: Vec<(String, String, Position)>,
    to: Vec<(String, String, Position)>,
    is_final: bool,
    /// The states within it.
    pub states: Vec<StateEntry>,
    initial: Option<(String, Position)>,
}

impl StateEntry {
    /// The state as the block takes it.
    pub fn state(&self) -> MachineState {
        let actions = |all: &[(String, String, Position)]| {
            all.iter().map(|(name, text, _)| (name.clone(), text.clone())).collect::<Vec<_>>()
        };
        MachineState {
            state: self.name.clone(),
            outputs: self.outputs.iter().map(|(name, formulas, _)| (name.clone(), formulas.clone())).collect(),
            enter: actions(&self.enter),
            exit: actions(&self.exit),
            to: actions(&self.to),
            is_final: self.is_final,
            states: self.states.iter().map(StateEntry::state).collect(),
            initial: self.initial.as_ref().map(|(name, _)| name.clone()),
        }
    }

    /// Place of a part in the file.
    pub fn place(&self, part: StatePart) -> Position {
        let of = |all: &[(String, String, Position)], i: usize| all.get(i).map(|(_, _, at)| *at);
        let place = match part {
            StatePart::Itself => None,
            StatePart::Initial => self.initial.as_ref().map(|(_, at)| *at),
            StatePart::Output(i) => self.outputs.get(i).map(|(_, _, at)| *at),
            StatePart::Enter(i) => of(&self.enter, i),
            StatePart::Exit(i) => of(&self.exit, i),
            StatePart::To(i) => of(&self.to, i),
        };
        place.unwrap_or(self.at)
    }
}

/// Reads a map of states; `None` after a fault was recorded.
pub fn read(item: Item<'_>, expected: &str) -> Option<Vec<StateEntry>> {
    match &item.node.value {
        Value::Map(entries) if !entries.is_empty() => {
            let read = |entry: &Entry| {
                let path = Path::Key(item.path, &entry.key);
                state(entry, Item { node: &entry.node, path: &path, ..item })
            };
            let states: Vec<Option<StateEntry>> = entries.iter().map(read).collect();
            states.into_iter().collect()
        }
        _ => {
            item.wrong(expected);
            None
        }
    }
}

fn state(entry: &Entry, item: Item<'_>) -> Option<StateEntry> {
    let mut state = StateEntry {
        name: entry.key.clone(),
        at: entry.key_at,
        outputs: Vec::new(),
        enter: Vec::new(),
        exit: Vec::new(),
        to: Vec::new(),
        is_final: false,
        states: Vec::new(),
        initial: None,
    };
    let entries = match &item.node.value {
        Value::Null => return Some(state),
        Value::Map(entries) => entries,
        _ => {
            item.wrong("what a state does, such as `{gain: 1, to: [{search: \"after 1 s\"}]}`");
            return None;
        }
    };
    let mut is_good = true;
    for Entry { key, node, key_at } in entries {
        let path = Path::Key(item.path, key);
        let item = Item { node, path: &path, ..item };
        is_good &= match key.as_str() {
            "to" => transitions(item).map(|to| state.to = to).is_some(),
            "enter" => actions(item).map(|enter| state.enter = enter).is_some(),
            "exit" => actions(item).map(|exit| state.exit = exit).is_some(),
            "final" => match node.value {
                Value::Bool(is_final) => {
                    state.is_final = is_final;
                    true
                }
                _ => refuse(item, "true or false"),
            },
            "states" => read(item, "the states within this one, by name").map(|states| state.states = states).is_some(),
            "initial" => match &node.value {
                Value::Text(text) => {
                    state.initial = Some((text.clone(), node.at));
                    true
                }
                _ => refuse(item, "the name of a state within this one"),
            },
            _ => match formulas(node) {
                Some(formulas) => {
                    state.outputs.push((key.clone(), formulas, *key_at));
                    true
                }
                None => refuse(item, "the value of an output: a number, a formula, or a list of these"),
            },
        };
    }
    is_good.then_some(state)
}

fn refuse(item: Item<'_>, expected: &str) -> bool {
    item.wrong(expected);
    false
}

/// A formula: text, a number, or a truth.
fn formula(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(number) if number.is_finite() => Some(show_number(*number)),
        Value::Bool(truth) => Some(u8::from(*truth).to_string()),
        _ => None,
    }
}

fn formulas(node: &Node) -> Option<Vec<String>> {
    match &node.value {
        Value::List(nodes) if !nodes.is_empty() => nodes.iter().map(formula).collect(),
        _ => formula(node).map(|formula| vec![formula]),
    }
}

/// `{count: count + 1}`.
fn actions(item: Item<'_>) -> Option<Vec<(String, String, Position)>> {
    let Value::Map(entries) = &item.node.value else {
        item.wrong("new values by name, such as `{count: count + 1}`");
        return None;
    };
    let read = |entry: &Entry| match formula(&entry.node) {
        Some(formula) => Some((entry.key.clone(), formula, entry.node.at)),
        None => {
            let path = Path::Key(item.path, &entry.key);
            Item { node: &entry.node, path: &path, ..item }.wrong("a number or a formula");
            None
        }
    };
    let all: Vec<Option<_>> = entries.iter().map(read).collect();
    all.into_iter().collect()
}

/// `[{swing: "position > 0.4"}, {fault: "after 10 s"}]`, or one map with several.
fn transitions(item: Item<'_>) -> Option<Vec<(String, String, Position)>> {
    const EXPECTED: &str = "transitions such as `[{hold: \"speed < 0.1\"}, {fault: \"after 10 s\"}]`";
    const CONDITION: &str = "a condition such as \"speed < 0.1 and after 0.2 s\"";
    let maps: Vec<&Node> = match &item.node.value {
        Value::List(nodes) => nodes.iter().collect(),
        Value::Map(_) => vec![item.node],
        _ => {
            item.wrong(EXPECTED);
            return None;
        }
    };
    let (mut found, mut is_good) = (Vec::new(), true);
    for (i, node) in maps.into_iter().enumerate() {
        let path = Path::Index(item.path, i);
        let Value::Map(entries) = &node.value else {
            let at = Item { node, path: &path, ..item };
            if matches!(node.value, Value::Text(_)) {
                let message = "a transition has a condition: `{NAME: \"after 1 s\"}`".into();
                at.report(FaultKind::Conflict { path: path.to_string(), message });
            } else {
                at.wrong(EXPECTED);
            }
            is_good = false;
            continue;
        };
        for entry in entries {
            let Some(condition) = formula(&entry.node) else {
                let path = Path::Key(&path, &entry.key);
                is_good = refuse(Item { node: &entry.node, path: &path, ..item }, CONDITION);
                continue;
            };
            found.push((entry.key.clone(), condition, entry.node.at));
        }
    }
    is_good.then_some(found)
}
