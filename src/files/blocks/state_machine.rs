//! `type: state_machine`.

use crate::fault::FaultKind;
use crate::form::{
    BlockSpec, BlockType, Decode, Group, Item, ListOf, MapOf, NUMBER, Name, NamesWithWidths, Needs, Number, Optional,
    Position, Reader, Site, SystemSpec, Text, needs, optional,
};
use crate::machine_states::{self, StateEntry};
use kinegraph_core::ErasedSystem;
use kinegraph_systems::control::{Machine, MachineError, MachineFault, MachinePlace, StateMachine};
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "state_machine",
    group: Group::Controllers,
    about: "one of several states is active, by conditions over inputs and time; outputs depend on it",
    example: "mode:
  type: state_machine
  inputs: [position, speed]
  outputs: {gain: 1}
  variables: {count: 0}
  states:
    search: {gain: 1, to: [{swing: \"position > 0.4 and speed < 0.1\"}, {fault: \"after 10 s\"}]}
    swing: {gain: \"3*position\", enter: {count: count + 1}, to: [{search: \"every 1 s and count < 5\"}]}
    fault: {gain: 0, final: true}
  initial: search",
    files: &[],
    read,
};

const INPUTS: Optional<ListOf<Name>> =
    optional("inputs", ListOf { each: Name, about: "a list of names" }, "none", "names of the inputs, one number each");
const OUTPUTS: Optional<NamesWithWidths> =
    optional("outputs", NAMES, "none", "names of the outputs, with their widths where these are not 1");
const NAMES: NamesWithWidths =
    NamesWithWidths { about: "names such as [gain], or names with widths such as {gain: 1, goal: 7}" };
const VARIABLES: Optional<MapOf<Number>> = optional(
    "variables",
    MapOf { each: NUMBER, about: "names with numbers" },
    "none",
    "numbers that actions change, with their initial values; each is an output",
);
const STATES: Needs<States> = needs(
    "states",
    States,
    "states by name: values of outputs, `enter` and `exit` (new values of variables), `to` (transitions, earlier ones \
     first), `final`, and `states` within with their `initial`",
);
const INITIAL: Needs<Text> = needs("initial", Text { about: "the name of a state" }, "the state at the start");

/// A machine and the places of its parts.
#[derive(Debug)]
struct Spec {
    machine: Machine,
    inputs_at: Position,
    outputs_at: Position,
    variables_at: Vec<Position>,
    initial_at: Position,
    states: Vec<StateEntry>,
}

impl Spec {
    fn place(&self, fault: &MachineFault) -> Position {
        match fault.place {
            MachinePlace::Input(_) => self.inputs_at,
            MachinePlace::Output(_) => self.outputs_at,
            MachinePlace::Variable(i) => self.variables_at.get(i).copied().unwrap_or(self.initial_at),
            MachinePlace::Initial => self.initial_at,
            MachinePlace::State(i, j, part) => {
                let outer = self.states.get(i);
                let entry = j.map_or(outer, |j| outer.and_then(|outer| outer.states.get(j)));
                entry.map_or(self.initial_at, |entry| entry.place(part))
            }
        }
    }
}

impl BlockSpec for Spec {
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        match StateMachine::new(&self.machine) {
            Ok(machine) => Some(Arc::new(machine)),
            Err(MachineError { faults }) => {
                for fault in &faults {
                    let (path, message) = (site.path.to_owned(), fault.message.clone());
                    site.loader.report(self.place(fault), FaultKind::Build { path, message });
                }
                None
            }
        }
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let inputs = r.get(&INPUTS).unwrap_or_default();
    let outputs = r.get(&OUTPUTS).unwrap_or_default();
    let variables = r.get(&VARIABLES).unwrap_or_default();
    let (states, initial) = (r.get(&STATES), r.get(&INITIAL));
    let states = states?;
    let machine = Machine {
        inputs,
        outputs,
        variables: variables.iter().map(|variable| (variable.name.clone(), variable.value)).collect(),
        states: states.iter().map(StateEntry::state).collect(),
        initial: initial?,
    };
    let (inputs_at, outputs_at, initial_at) = (r.at_key(INPUTS), r.at_key(OUTPUTS), r.at_key(INITIAL));
    let variables_at = variables.iter().map(|variable| variable.at).collect();
    Some(Box::new(Spec { machine, inputs_at, outputs_at, variables_at, initial_at, states }))
}

/// The states of a machine, read by `machine_states`.
struct States;

impl Decode for States {
    type Output = Vec<StateEntry>;
    fn expects(&self) -> String {
        "states by name, such as `hold: {gain: 1, to: [{search: \"after 1 s\"}]}`".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Vec<StateEntry>> {
        machine_states::read(item, &self.expects())
    }
}
