//! The table of a state machine: its states in one list, formulas and conditions compiled.

use super::description::{Machine, MachineState, StateName};
use crate::control::machine_fault::{MachineError, MachineFault, MachinePlace, StatePart};
use crate::operators::formulas::{self, Guard, Program};
use kinegraph_core::names::nearest;

/// A machine with its states in one list: each state that has no states within it.
#[derive(Debug)]
pub(super) struct Table {
    pub leaves: Vec<Leaf>,
    /// The states that have states within them, by name.
    pub groups: Vec<GroupOfStates>,
    /// Index of the first one.
    pub initial: usize,
    /// Offsets of the outputs in the run of kept values, and their number of values.
    pub kept: Vec<(usize, usize)>,
    /// Initial values of the variables.
    pub variables: Vec<f64>,
    /// Periods \[s\] of all `every`.
    pub every: Vec<f64>,
}

impl Table {
    /// Number of values of all outputs.
    pub fn kept_width(&self) -> usize {
        self.kept.last().map_or(0, |(at, width)| at + width)
    }
}

/// A state without states within it.
#[derive(Debug)]
pub(super) struct Leaf {
    /// Its name, `outer.inner` within another.
    pub name: String,
    /// Index of the group that it belongs to.
    pub group: Option<usize>,
    pub actions: Actions,
    /// For each output, the formulas of its numbers; `None`: it keeps its value.
    pub outputs: Vec<Option<Vec<Program>>>,
    /// Transitions, those of the group first.
    pub to: Vec<Transition>,
}

/// A state with states within it.
#[derive(Debug)]
pub(super) struct GroupOfStates {
    pub name: String,
    pub actions: Actions,
    /// The state within it that comes first.
    initial: Option<usize>,
}

/// Actions at the entry and at the exit of a state.
#[derive(Debug, Default)]
pub(super) struct Actions {
    pub enter: Vec<Action>,
    pub exit: Vec<Action>,
}

/// A variable or a kept output gets a value.
#[derive(Debug)]
pub(super) struct Action {
    /// Index among the variables and, behind them, the kept values.
    pub target: usize,
    pub formula: Program,
}

/// A change of state on a condition.
#[derive(Debug)]
pub(super) struct Transition {
    pub to: usize,
    pub guard: Guard,
    /// Index of its first `every` among all.
    pub every: usize,
    /// True if it is one of the group: its time is that of the group, and the group is left.
    pub of_group: bool,
}

/// Reads a machine.
pub(super) fn read<S: StateName>(machine: &Machine<S>) -> Result<Table, MachineError> {
    let mut reader = TableReader::new(machine);
    reader.check_names();
    let table = reader.table();
    if reader.faults.is_empty() { Ok(table) } else { Err(MachineError { faults: reader.faults }) }
}

struct TableReader<'a, S> {
    machine: &'a Machine<S>,
    /// Inputs and variables, as formulas name them.
    names: Vec<(&'a str, usize)>,
    kept: Vec<(usize, usize)>,
    faults: Vec<MachineFault>,
    every: Vec<f64>,
}

impl<'a, S: StateName> TableReader<'a, S> {
    fn new(machine: &'a Machine<S>) -> Self {
        let inputs = machine.inputs.iter().map(|name| (name.as_str(), 1));
        let variables = machine.variables.iter().map(|(name, _)| (name.as_str(), 1));
        let mut kept: Vec<(usize, usize)> = Vec::new();
        for &(_, width) in &machine.outputs {
            kept.push((kept.last().map_or(0, |(at, width)| at + width), width));
        }
        TableReader { machine, names: inputs.chain(variables).collect(), kept, faults: Vec::new(), every: Vec::new() }
    }

    fn fault(&mut self, place: MachinePlace, message: impl Into<String>) {
        self.faults.push(MachineFault { place, message: message.into() });
    }

    /// Checks the names of inputs, variables, outputs and states.
    fn check_names(&mut self) {
        let inputs = self.machine.inputs.len();
        for i in 0..self.names.len() {
            if let Err(message) = formulas::check_name(&self.names, i) {
                let variable = i.checked_sub(inputs);
                self.fault(variable.map_or(MachinePlace::Input(i), MachinePlace::Variable), message);
            }
        }
        for (i, (name, value)) in self.machine.variables.iter().enumerate() {
            if !value.is_finite() {
                self.fault(MachinePlace::Variable(i), format!("the variable `{name}` begins at {value}"));
            }
        }
        let own: Vec<String> = self.states().map(|(_, name, _)| is_output(&name)).collect();
        for (i, (name, width)) in self.machine.outputs.iter().enumerate() {
            let is_own = OWN_OUTPUTS.contains(&name.as_str()) || own.contains(name);
            if is_own {
                let message = format!("every machine has an output `{name}`: give this one another name");
                self.fault(MachinePlace::Output(i), message);
            } else if self.machine.variables.iter().any(|(variable, _)| variable == name) {
                let message = format!("`{name}` is a variable, and an output as such: give this one another name");
                self.fault(MachinePlace::Output(i), message);
            } else if self.machine.outputs[..i].iter().any(|(other, _)| other == name) {
                self.fault(MachinePlace::Output(i), format!("there are two outputs `{name}`"));
            }
            if *width == 0 {
                self.fault(MachinePlace::Output(i), format!("the output `{name}` has no numbers"));
            }
        }
        let states: Vec<(MachinePlace, String, String)> =
            self.states().map(|(place, name, _)| (place, short_name(&name).to_owned(), name)).collect();
        for (i, (place, short, name)) in states.iter().enumerate() {
            if !formulas::is_name(short) {
                let rule = "a state has a name of letters, digits and `_` that begins with a letter";
                self.fault(place.clone(), format!("`{short}`: {rule}"));
            }
            if states[..i].iter().any(|(_, other, _)| other == short) {
                self.fault(place.clone(), format!("there are two states `{name}`: every state has a name of its own"));
            }
        }
        if states.is_empty() {
            self.fault(MachinePlace::Initial, "a machine has at least one state");
        }
    }

    /// All states, those within others as `outer.inner`, each with its place.
    fn states(&self) -> impl Iterator<Item = (MachinePlace, String, &'a MachineState<S>)> {
        self.machine.states.iter().enumerate().flat_map(|(i, outer)| {
            let place = move |inner| MachinePlace::State(i, inner, StatePart::Itself);
            let name = outer.state.name();
            let within = outer.states.iter().enumerate();
            let within =
                within.map(move |(j, inner)| (place(Some(j)), format!("{name}.{}", inner.state.name()), inner));
            std::iter::once((place(None), outer.state.name(), outer)).chain(within)
        })
    }

    fn table(&mut self) -> Table {
        let machine = self.machine;
        // Names and places first: transitions lead to states that come later.
        let (mut leaves, mut groups): (Vec<Leaf>, Vec<GroupOfStates>) = (Vec::new(), Vec::new());
        for outer in &machine.states {
            let leaf = |name: String, group| Leaf {
                name,
                group,
                actions: Actions::default(),
                outputs: Vec::new(),
                to: Vec::new(),
            };
            if outer.states.is_empty() {
                leaves.push(leaf(outer.state.name(), None));
                continue;
            }
            let name = outer.state.name();
            let first = leaves.len();
            leaves.extend(outer.states.iter().map(|i| leaf(format!("{name}.{}", i.state.name()), Some(groups.len()))));
            let initial = outer.initial.as_ref().map_or(Some(first), |initial| {
                outer.states.iter().position(|inner| inner.state == *initial).map(|inner| first + inner)
            });
            groups.push(GroupOfStates { name, actions: Actions::default(), initial });
        }
        self.fill(&mut leaves, &mut groups);
        let initial = self.target(&machine.initial, &leaves, &groups).unwrap_or_else(|message| {
            self.fault(MachinePlace::Initial, format!("initial: {message}"));
            0
        });
        Table {
            leaves,
            groups,
            initial,
            kept: self.kept.clone(),
            variables: machine.variables.iter().map(|(_, value)| *value).collect(),
            every: self.every.clone(),
        }
    }

    /// Reads what the states do.
    fn fill(&mut self, leaves: &mut [Leaf], groups: &mut [GroupOfStates]) {
        let (mut leaf, mut group) = (0, 0);
        for (i, outer) in self.machine.states.iter().enumerate() {
            if outer.states.is_empty() {
                leaves[leaf].actions = self.actions(outer, i, None);
                leaves[leaf].outputs = self.outputs(&[(outer, i, None)]);
                leaves[leaf].to = self.transitions(outer, i, None, leaves, groups);
                leaf += 1;
                continue;
            }
            groups[group].actions = self.actions(outer, i, None);
            if groups[group].initial.is_none() {
                let names: Vec<String> = outer.states.iter().map(|inner| inner.state.name()).collect();
                let message = format!("`{}` has no such state; it has {}", groups[group].name, names.join(", "));
                self.fault(MachinePlace::State(i, None, StatePart::Initial), message);
            }
            for (j, inner) in outer.states.iter().enumerate() {
                if !inner.states.is_empty() {
                    let message =
                        format!("`{}` is within another state, and can have no states of its own", leaves[leaf].name);
                    self.fault(MachinePlace::State(i, Some(j), StatePart::Itself), message);
                }
                leaves[leaf].actions = self.actions(inner, i, Some(j));
                leaves[leaf].outputs = self.outputs(&[(outer, i, None), (inner, i, Some(j))]);
                let mut to = self.transitions(outer, i, None, leaves, groups);
                to.extend(self.transitions(inner, i, Some(j), leaves, groups));
                leaves[leaf].to = to;
                leaf += 1;
            }
            group += 1;
        }
        // The formulas of a group are read with each of its states.
        let mut seen = Vec::new();
        self.faults.retain(|fault| {
            let is_new = !seen.contains(fault);
            seen.push(fault.clone());
            is_new
        });
    }

    /// The formulas of all outputs in a state; `of` are the state and before it that around it.
    fn outputs(&mut self, of: &[(&MachineState<S>, usize, Option<usize>)]) -> Vec<Option<Vec<Program>>> {
        let mut found: Vec<Option<Vec<Program>>> = self.machine.outputs.iter().map(|_| None).collect();
        for &(state, i, j) in of {
            for (k, (name, formulas)) in state.outputs.iter().enumerate() {
                let place = MachinePlace::State(i, j, StatePart::Output(k));
                let known = self.machine.outputs.iter().map(|(name, _)| name.as_str());
                let Some(output) = known.clone().position(|known| known == name) else {
                    let message = format!("`{}` has no output `{name}`{}", state.state.name(), hint(name, known));
                    self.fault(place, message);
                    continue;
                };
                let width = self.machine.outputs[output].1;
                if formulas.len() != width {
                    let message = format!("`{name}` has {width} numbers, {} are given", formulas.len());
                    self.fault(place, message);
                    continue;
                }
                let programs = formulas.iter().filter_map(|text| self.formula(text, place.clone(), true)).collect();
                found[output] = Some(programs);
            }
        }
        found
    }

    fn actions(&mut self, state: &MachineState<S>, i: usize, j: Option<usize>) -> Actions {
        let mut read = |actions: &[(String, String)], part: fn(usize) -> StatePart| {
            let mut found = Vec::new();
            for (k, (name, formula)) in actions.iter().enumerate() {
                let place = MachinePlace::State(i, j, part(k));
                let target = self.assigned(name, state);
                let formula = self.formula(formula, place.clone(), false);
                match target {
                    Ok(target) => found.extend(formula.map(|formula| Action { target, formula })),
                    Err(message) => self.fault(place, message),
                }
            }
            found
        };
        Actions { enter: read(&state.enter, StatePart::Enter), exit: read(&state.exit, StatePart::Exit) }
    }

    /// Index of what an action changes.
    fn assigned(&self, name: &str, state: &MachineState<S>) -> Result<usize, String> {
        let variables = &self.machine.variables;
        if let Some(variable) = variables.iter().position(|(variable, _)| variable == name) {
            return Ok(variable);
        }
        if self.machine.inputs.iter().any(|input| input == name) {
            return Err(format!("`{name}` is an input, which an action cannot change"));
        }
        let Some(output) = self.machine.outputs.iter().position(|(output, _)| output == name) else {
            let known = variables.iter().map(|(name, _)| name).chain(self.machine.outputs.iter().map(|(name, _)| name));
            let hint = hint(name, known.map(String::as_str));
            return Err(format!("`{name}` is neither a variable nor an output{hint}"));
        };
        if state.outputs.iter().any(|(given, _)| given == name) {
            let state = state.state.name();
            return Err(format!("`{state}` gives `{name}` a value all the time: an action cannot change it there"));
        }
        let (at, width) = self.kept[output];
        if width != 1 {
            return Err(format!("`{name}` has {width} numbers; an action changes one"));
        }
        Ok(variables.len() + at)
    }

    fn transitions(
        &mut self,
        state: &MachineState<S>,
        i: usize,
        j: Option<usize>,
        leaves: &[Leaf],
        groups: &[GroupOfStates],
    ) -> Vec<Transition> {
        let mut found = Vec::new();
        if state.is_final && !state.to.is_empty() {
            let message = format!("`{}` is final and has transitions: take one of the two away", state.state.name());
            self.fault(MachinePlace::State(i, j, StatePart::To(0)), message);
        }
        for (k, (next, condition)) in state.to.iter().enumerate() {
            let place = MachinePlace::State(i, j, StatePart::To(k));
            let target = self.target(next, leaves, groups);
            let guard = match Guard::new(condition, &self.names) {
                Ok(guard) => Some(guard),
                Err(error) => {
                    self.fault(place.clone(), error.to_string());
                    None
                }
            };
            let of_group = j.is_none() && !state.states.is_empty();
            match (target, guard) {
                (Err(message), _) => self.fault(place, message),
                (Ok(to), Some(guard)) => {
                    let every = self.every.len();
                    self.every.extend(&guard.every);
                    found.push(Transition { to, guard, every, of_group });
                }
                (Ok(_), None) => {}
            }
        }
        found
    }

    /// The state that is entered where `state` is named.
    fn target(&self, state: &S, leaves: &[Leaf], groups: &[GroupOfStates]) -> Result<usize, String> {
        let name = state.name();
        if let Some(leaf) = leaves.iter().position(|leaf| is_named(&leaf.name, &name)) {
            return Ok(leaf);
        }
        match groups.iter().find(|group| group.name == name) {
            Some(group) => Ok(group.initial.unwrap_or(0)),
            None => {
                let known = leaves.iter().map(|leaf| leaf.name.as_str()).chain(groups.iter().map(|g| g.name.as_str()));
                Err(format!("there is no state `{name}`{}", hint(&name, known)))
            }
        }
    }

    fn formula(&mut self, text: &str, place: MachinePlace, is_output: bool) -> Option<Program> {
        match formulas::of_signals(text, &self.names) {
            Ok(program) if is_output && program.comparisons() > 0 => {
                let message = format!("`{text}`: what depends on a condition is a state of its own");
                self.fault(place, message);
                None
            }
            Ok(program) => Some(program),
            Err(error) => {
                self.fault(place, error.to_string());
                None
            }
        }
    }
}

/// Name of a state without that of the one around it.
fn short_name(full: &str) -> &str {
    full.rsplit('.').next().unwrap_or_default()
}

/// True if a state with the name `full` is meant by `name`.
pub(super) fn is_named(full: &str, name: &str) -> bool {
    full == name || short_name(full) == name
}

/// Name of the output that says whether a state is active.
pub(super) fn is_output(full: &str) -> String {
    format!("is_{}", short_name(full))
}

/// Outputs that every machine has.
pub(super) const OWN_OUTPUTS: [&str; 3] = ["state", "changed", "transitions"];

fn hint<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone) -> String {
    match nearest(name, known.clone()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => {
            let names: Vec<&str> = known.collect();
            if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) }
        }
    }
}
