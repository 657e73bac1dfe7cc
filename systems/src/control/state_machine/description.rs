//! A state machine as its author writes it.

/// Names of states: those of an enum of a program, or texts of a file.
///
/// ```
/// use kinegraph_systems::control::StateName;
///
/// #[derive(Clone, Debug, PartialEq)]
/// enum Mode { Search, SwingUp }
/// impl StateName for Mode {}
/// assert_eq!(Mode::SwingUp.name(), "swing_up");
/// ```
pub trait StateName: Clone + std::fmt::Debug + PartialEq {
    /// The name in outputs (`is_swing_up`) and recordings: by default that of the variant, in lower case with `_`.
    fn name(&self) -> String {
        let mut name = String::new();
        for (i, c) in format!("{self:?}").chars().enumerate() {
            if c.is_uppercase() && i > 0 {
                name.push('_');
            }
            name.extend(c.to_lowercase());
        }
        name
    }
}

impl StateName for String {
    fn name(&self) -> String {
        self.clone()
    }
}

/// Description of a [`StateMachine`](super::StateMachine).
#[derive(Clone, Debug, PartialEq)]
pub struct Machine<S = String> {
    /// Names of the inputs, one number each.
    pub inputs: Vec<String>,
    /// Names of the outputs, with their widths.
    pub outputs: Vec<(String, usize)>,
    /// Names of the variables, with their initial values. Each is an output, too.
    pub variables: Vec<(String, f64)>,
    /// The states.
    pub states: Vec<MachineState<S>>,
    /// The state at the start.
    pub initial: S,
}

/// A state of a [`Machine`], with what it does. Formulas are those of
/// [`Expression`](crate::operators::Expression), of inputs, variables and the time `t` \[s\].
#[derive(Clone, Debug, PartialEq)]
pub struct MachineState<S = String> {
    /// Its name.
    pub state: S,
    /// Values of outputs while it is active, a formula per number. An output without a value keeps the one it had.
    pub outputs: Vec<(String, Vec<String>)>,
    /// Values that variables, and outputs that keep theirs, get at the entry.
    pub enter: Vec<(String, String)>,
    /// Values that they get at the exit.
    pub exit: Vec<(String, String)>,
    /// Transitions: the next state and the condition. Earlier ones go first.
    pub to: Vec<(S, String)>,
    /// True if it has no transitions on purpose.
    pub is_final: bool,
    /// States within it, one of which is active while it is.
    pub states: Vec<MachineState<S>>,
    /// The first one of these.
    pub initial: Option<S>,
}

impl<S: StateName> MachineState<S> {
    /// A state that does nothing.
    pub fn new(state: S) -> Self {
        MachineState {
            state,
            outputs: Vec::new(),
            enter: Vec::new(),
            exit: Vec::new(),
            to: Vec::new(),
            is_final: false,
            states: Vec::new(),
            initial: None,
        }
    }

    /// Gives an output of one number a value while the state is active.
    #[must_use]
    pub fn output(mut self, name: &str, formula: impl ToString) -> Self {
        self.outputs.push((name.into(), vec![formula.to_string()]));
        self
    }

    /// Gives a variable, or an output that keeps its value, a value at the entry.
    #[must_use]
    pub fn on_enter(mut self, name: &str, formula: impl ToString) -> Self {
        self.enter.push((name.into(), formula.to_string()));
        self
    }

    /// Gives a variable, or an output that keeps its value, a value at the exit.
    #[must_use]
    pub fn on_exit(mut self, name: &str, formula: impl ToString) -> Self {
        self.exit.push((name.into(), formula.to_string()));
        self
    }

    /// Goes to another state as soon as a condition is true: `"x > 1 and after 0.2 s"`.
    #[must_use]
    pub fn goes_to(mut self, next: S, condition: &str) -> Self {
        self.to.push((next, condition.into()));
        self
    }
}
