//! Faults of the description of a state machine, with their places.

/// A fault of a [`Machine`](super::Machine), and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineFault {
    /// The place.
    pub place: MachinePlace,
    /// The fault, and what to do.
    pub message: String,
}

/// Place in a [`Machine`](super::Machine).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MachinePlace {
    /// An input, by its index.
    Input(usize),
    /// An output, by its index.
    Output(usize),
    /// A variable, by its index.
    Variable(usize),
    /// The state at the start.
    Initial,
    /// A state, by its index and that of the state within it, and a part of it.
    State(usize, Option<usize>, StatePart),
}

/// Part of a [`MachineState`](super::MachineState).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatePart {
    /// The state itself.
    Itself,
    /// The first state within it.
    Initial,
    /// Value of an output, by its index among them.
    Output(usize),
    /// An action at the entry, by its index.
    Enter(usize),
    /// An action at the exit.
    Exit(usize),
    /// A transition.
    To(usize),
}

/// The faults of a [`Machine`](super::Machine), all together.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .faults.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join("; "))]
pub struct MachineError {
    /// The faults, at least one.
    pub faults: Vec<MachineFault>,
}

kinegraph_core::debug_is_message!(MachineError);
