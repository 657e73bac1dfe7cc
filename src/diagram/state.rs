//! State of a simulation: time, continuous and discrete state.

use super::structure::Diagram;
use kinegraph_core::random::{derive_seed, is_seed};
use serde::{Deserialize, Serialize};

/// Time, continuous and discrete state of a diagram. Saved, restored, cloned and compared as a value.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time \[s\].
    pub time: f64,
    /// Continuous state: block by block in order of insertion, as in [`Block::state`](super::Block::state).
    pub continuous: Vec<f64>,
    /// Discrete state, in the same order.
    #[serde(default)]
    pub discrete: Vec<f64>,
    /// True once the events of the start time have fired.
    #[serde(default)]
    pub started: bool,
}

impl Clone for State {
    fn clone(&self) -> Self {
        State { continuous: self.continuous.clone(), discrete: self.discrete.clone(), ..*self }
    }

    /// Does not allocate if `self` has the same size (a derived `clone_from` would).
    fn clone_from(&mut self, from: &Self) {
        (self.time, self.started) = (from.time, from.started);
        self.continuous.clone_from(&from.continuous);
        self.discrete.clone_from(&from.discrete);
    }
}

impl Diagram {
    /// Time zero and the initial states that the blocks declare.
    pub fn initial_state(&self) -> State {
        let runs = self.blocks().iter().flat_map(|block| block.system.ports().continuous());
        let mut continuous = Vec::with_capacity(self.state_width());
        continuous.extend(runs.flat_map(|run| run.initial.iter().copied()));
        State { time: 0.0, continuous, discrete: self.initial_discrete(), started: false }
    }

    /// The initial discrete state that the blocks declare.
    pub(super) fn initial_discrete(&self) -> Vec<f64> {
        let runs = self.blocks().iter().flat_map(|block| block.system.ports().discrete());
        let mut discrete = Vec::with_capacity(self.discrete_width());
        discrete.extend(runs.flat_map(|run| run.initial.iter().copied()));
        discrete
    }

    /// Returns `state` with its own seeds for all random numbers: those of world, run or draw `number`
    /// ([`derived_seed`](kinegraph_core::random::derived_seed) of the seed of each block).
    pub fn seeded(&self, mut state: State, number: u64) -> State {
        for block in self.blocks() {
            let mut at = block.discrete.start;
            for run in block.system.ports().discrete() {
                let range = at..at + run.initial.len();
                at = range.end;
                if is_seed(run)
                    && let Some(held) = state.discrete.get_mut(range)
                {
                    derive_seed(held, number);
                }
            }
        }
        state
    }

    /// Converts `state` of the diagram `from` to a state of this diagram: runs of state with the same full name and
    /// size are carried over, the others keep their initial values.
    pub fn carry_over(&self, from: &Diagram, state: &State) -> State {
        let mut carried = State { time: state.time, started: state.started, ..self.initial_state() };
        let old: std::collections::HashMap<(String, String), _> =
            from.runs().map(|(block, run, range)| ((block, run), range)).collect();
        for (block, run, range) in self.runs() {
            if let Some(source) = old.get(&(block, run)).filter(|source| source.len() == range.len()) {
                carried.continuous[range].copy_from_slice(&state.continuous[source.clone()]);
            }
        }
        let old: std::collections::HashMap<(String, String), _> =
            from.discrete_runs().map(|(block, run, range)| ((block, run), range)).collect();
        for (block, run, range) in self.discrete_runs() {
            if let Some(source) = old.get(&(block, run)).filter(|source| source.len() == range.len()) {
                carried.discrete[range].copy_from_slice(&state.discrete[source.clone()]);
            }
        }
        carried
    }

    /// Names of the continuous states: `block.element` where the block names them, else `block.run[i]` (`block.run` for
    /// a single one).
    pub fn state_names(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.state_width());
        for block in self.blocks() {
            for run in block.system.ports().continuous() {
                names.extend(super::channels::names(&block.name, &run.name, &run.elements, run.initial.len()));
            }
        }
        names
    }

    /// Names of the discrete states, formed as [`state_names`](Self::state_names).
    pub fn discrete_names(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.discrete_width());
        for block in self.blocks() {
            for run in block.system.ports().discrete() {
                names.extend(super::channels::names(&block.name, &run.name, &run.elements, run.initial.len()));
            }
        }
        names
    }

    /// Every run of discrete state: block name, run name, range.
    fn discrete_runs(&self) -> impl Iterator<Item = (String, String, std::ops::Range<usize>)> + '_ {
        self.blocks().iter().flat_map(|block| {
            let mut at = block.discrete.start;
            block.system.ports().discrete().iter().map(move |run| {
                let range = at..at + run.initial.len();
                at = range.end;
                (block.name.clone(), run.name.clone(), range)
            })
        })
    }

    /// Every run of state: block name, run name, range.
    fn runs(&self) -> impl Iterator<Item = (String, String, std::ops::Range<usize>)> + '_ {
        self.blocks().iter().flat_map(|block| {
            let mut at = block.state.start;
            block.system.ports().continuous().iter().map(move |run| {
                let range = at..at + run.initial.len();
                at = range.end;
                (block.name.clone(), run.name.clone(), range)
            })
        })
    }
}
