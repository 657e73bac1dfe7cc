//! State machines: one of several states is active, and conditions over inputs and time lead from one to another.
//!
//! The active state, the times of entry and the variables are discrete state. One witness function is positive where a
//! transition is due: the largest margin of the conditions of the active state. It is looked at again after each
//! transition, so that states are passed at one instant until no condition is true. Between two transitions of an
//! instant the output `changed` is 1 for one round of events, in which others see its edge.

mod description;
mod table;

pub use description::{Machine, MachineState, StateName};

use super::machine_fault::MachineError;
use crate::operators::formulas::{Program, faster};
use kinegraph_core::logic::{is_true, least, number};
use kinegraph_core::port::{Sampling, Tick, Witness, simultaneous};
use kinegraph_core::{Context, Dyn, Fixed, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar, TimeVariation};
use table::{Action, Leaf, OWN_OUTPUTS, Table, Transition, is_named, is_output};

/// A state machine: its outputs depend on the active state, which changes on conditions over its inputs, its variables
/// and the time, at the exact instants at which they become true.
///
/// - Of several conditions that are true, the first one of the state counts; those of the state around it go before its
///   own. At most one transition happens at a time; then all machines of the diagram are looked at again, until none
///   moves. A circle of transitions at one instant stops the run with the states and the time.
/// - `after 0.2 s` is true from that time after the entry on, `every 10 ms` at the multiples of that time after it. In
///   conditions of a state with states within it, the entry is that of this state.
/// - At a transition, first the values of the actions at the exit are set, in their order, then those at the entry. All
///   read the values just before, but for those that actions before them changed.
/// - An output has the value that the active state gives it, at all times; without one it keeps the value it had.
///
/// ```
/// use kinegraph_systems::control::{Machine, MachineState, StateMachine, StateName};
///
/// #[derive(Clone, Debug, PartialEq)]
/// enum Mode { Search, Hold }
/// impl StateName for Mode {}
///
/// let machine = StateMachine::new(&Machine {
///     inputs: vec!["position".into()],
///     outputs: vec![("gain".into(), 1)],
///     variables: vec![],
///     states: vec![
///         MachineState::new(Mode::Search).output("gain", 1).goes_to(Mode::Hold, "position > 0.4 and after 0.1 s"),
///         MachineState::new(Mode::Hold).output("gain", "9*position"),
///     ],
///     initial: Mode::Search,
/// })?;
/// let hold = machine.is(&Mode::Hold).unwrap();
/// # Ok::<(), kinegraph_systems::control::MachineError>(())
/// ```
pub struct StateMachine {
    /// The inputs, in the order of the description.
    pub inputs: Vec<In<Fixed<1>>>,
    /// The outputs, in the order of the description.
    pub outputs: Vec<Out<Dyn>>,
    /// The variables, in the order of the description.
    pub variables: Vec<Out<Fixed<1>>>,
    /// Number of the active state, from 0, in the order of the description; of states within another each counts.
    pub state: Out<Fixed<1>>,
    /// 1 during the round of events after a transition, else 0: its edge triggers others. Samples do not see it.
    pub changed: Out<Fixed<1>>,
    /// Number of transitions.
    pub transitions: Out<Fixed<1>>,
    /// For each state, and for each with states within it, 1 while it is active: `is_NAME`.
    pub is_active: Vec<(String, Out<Fixed<1>>)>,
    table: Table,
    ports: Ports,
}

/// Indices in the discrete state; variables, kept outputs and the times of the last `every` follow.
const STATE: usize = 0;
const SINCE: usize = 1;
const GROUP_SINCE: usize = 2;
const CHANGED: usize = 3;
const COUNT: usize = 4;
const VARIABLES: usize = 5;
/// The witness functions; those of each `every` follow.
const DUE: usize = 0;
const SETTLED: usize = 1;
const FIRST_PERIOD: usize = 2;

impl StateMachine {
    /// A machine as described.
    ///
    /// # Errors
    /// All faults of the description together, each with its place.
    pub fn new<S: StateName>(machine: &Machine<S>) -> Result<Self, MachineError> {
        let table = table::read(machine)?;
        let mut ports = Ports::new();
        let inputs: Vec<In<Fixed<1>>> = machine.inputs.iter().map(|name| ports.input(name)).collect();
        let mut outputs = Vec::new();
        for (output, (name, width)) in machine.outputs.iter().enumerate() {
            let port: Out<Dyn> = ports.output_of_width(name, *width);
            ports.no_feedthrough(port);
            for (index, input) in inputs.iter().enumerate() {
                let formulas = table.leaves.iter().filter_map(|leaf| leaf.outputs[output].as_ref()).flatten();
                if formulas.into_iter().any(|formula| formula.reads(index)) {
                    ports.feedthrough(port, *input);
                }
            }
            outputs.push(port);
        }
        let variables = machine.variables.iter().map(|(name, _)| {
            let port = ports.output(name);
            ports.no_feedthrough(port);
            port
        });
        let variables = variables.collect();
        let [state, changed, transitions] = OWN_OUTPUTS.map(|name| {
            let port = ports.output(name);
            ports.no_feedthrough(port);
            port
        });
        ports.name_choices(state, table.leaves.iter().map(|leaf| leaf.name.clone()).collect());
        let names = table.leaves.iter().map(|leaf| &leaf.name).chain(table.groups.iter().map(|group| &group.name));
        let is_active = names
            .map(|name| {
                let port = ports.output(is_output(name));
                ports.no_feedthrough(port);
                (name.clone(), port)
            })
            .collect();
        ports.discrete_state("state", vec![table.initial as f64]);
        ports.discrete_state("since", vec![0.0; 2]);
        ports.discrete_state("changed", vec![0.0]);
        ports.discrete_state("transitions", vec![0.0]);
        ports.discrete_state("variables", table.variables.clone());
        ports.discrete_state("kept", vec![0.0; table.kept_width()]);
        ports.discrete_state("last", vec![0.0; table.every.len()]);
        ports.periodic(Sampling::once(0.0));
        ports.level_witness("transition");
        ports.level_witness("settled");
        for k in 0..table.every.len() {
            ports.level_witness(format!("every[{k}]"));
        }
        Ok(StateMachine { inputs, outputs, variables, state, changed, transitions, is_active, table, ports })
    }

    /// The output that is 1 while a state is active; `None` if there is no such state.
    pub fn is<S: StateName>(&self, state: &S) -> Option<Out<Fixed<1>>> {
        let name = state.name();
        self.is_active.iter().find(|(full, _)| is_named(full, &name)).map(|(_, port)| *port)
    }

    /// Names of the states in the order of their numbers.
    pub fn states(&self) -> impl Iterator<Item = &str> {
        self.table.leaves.iter().map(|leaf| leaf.name.as_str())
    }

    fn leaf(&self, discrete: &[f64]) -> &Leaf {
        &self.table.leaves[(discrete[STATE] as usize).min(self.table.leaves.len() - 1)]
    }

    /// The number of an input or a variable, as formulas count them.
    fn named<S: Scalar>(&self, ctx: &Context<S>, discrete: &[f64], index: usize) -> S {
        match self.inputs.get(index) {
            Some(&input) => ctx.get(input)[0],
            None => S::constant(discrete[VARIABLES + index - self.inputs.len()]),
        }
    }

    /// Index of the time of an `every` in the discrete state.
    fn last(&self, every: usize) -> usize {
        VARIABLES + self.table.variables.len() + self.table.kept_width() + every
    }

    /// Margin of the condition of a transition of the active state.
    fn margin(&self, ctx: &Context<f64>, discrete: &[f64], transition: &Transition, ticking: Option<usize>) -> f64 {
        let since = discrete[if transition.of_group { GROUP_SINCE } else { SINCE }];
        let is_due = |every: usize| ticking == Some(transition.every + every);
        transition.guard.margin(ctx.time, ctx.time - since, |index| self.named(ctx, discrete, index), is_due)
    }

    /// Changes the state by the first transition whose condition is true, if there is one.
    fn move_on(&self, ctx: &Context<f64>, discrete: &mut [f64], ticking: Option<usize>) {
        let leaf = self.leaf(discrete);
        let Some(transition) = leaf.to.iter().find(|one| self.margin(ctx, discrete, one, ticking) > 0.0) else {
            return;
        };
        self.keep_outputs(ctx, discrete);
        let next = &self.table.leaves[transition.to];
        let leaves_group = transition.of_group || leaf.group != next.group;
        self.act(&leaf.actions.exit, ctx, discrete);
        if let Some(group) = leaf.group.filter(|_| leaves_group) {
            self.act(&self.table.groups[group].actions.exit, ctx, discrete);
        }
        discrete[STATE] = transition.to as f64;
        discrete[CHANGED] = 1.0;
        discrete[COUNT] += 1.0;
        self.enter(ctx, discrete, leaves_group);
    }

    /// Enters the state that is active now; `with_group`: the state around it too.
    fn enter(&self, ctx: &Context<f64>, discrete: &mut [f64], with_group: bool) {
        let leaf = self.leaf(discrete);
        discrete[SINCE] = ctx.time;
        if with_group {
            discrete[GROUP_SINCE] = ctx.time;
        }
        for transition in leaf.to.iter().filter(|one| with_group || !one.of_group) {
            let first = self.last(transition.every);
            discrete[first..first + transition.guard.every.len()].fill(ctx.time);
        }
        if let Some(group) = leaf.group.filter(|_| with_group) {
            self.act(&self.table.groups[group].actions.enter, ctx, discrete);
        }
        self.act(&leaf.actions.enter, ctx, discrete);
    }

    fn act(&self, actions: &[Action], ctx: &Context<f64>, discrete: &mut [f64]) {
        for Action { target, formula } in actions {
            discrete[VARIABLES + target] = formula.run(ctx.time, |index, _| self.named(ctx, discrete, index));
        }
    }

    /// Keeps the values that the active state gives the outputs.
    fn keep_outputs(&self, ctx: &Context<f64>, discrete: &mut [f64]) {
        let kept = VARIABLES + self.table.variables.len();
        for (formulas, &(at, _)) in self.leaf(discrete).outputs.iter().zip(&self.table.kept) {
            for (i, formula) in formulas.iter().flatten().enumerate() {
                discrete[kept + at + i] = formula.run(ctx.time, |index, _| self.named(ctx, discrete, index));
            }
        }
    }

    fn formulas(&self) -> impl Iterator<Item = &Program> {
        self.table.leaves.iter().flat_map(|leaf| leaf.outputs.iter().flatten().flatten())
    }
}

impl LeafSystem for StateMachine {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let discrete = ctx.discrete;
        let leaf = self.leaf(discrete);
        let kept = &discrete[VARIABLES + self.table.variables.len()..];
        for ((port, formulas), &(at, width)) in self.outputs.iter().zip(&leaf.outputs).zip(&self.table.kept) {
            if !out.wanted(*port) {
                continue;
            }
            for (i, y) in out.slice(*port).iter_mut().enumerate().take(width) {
                *y = match formulas.as_ref().and_then(|formulas| formulas.get(i)) {
                    Some(formula) => formula.run(ctx.time, |index, _| self.named(ctx, discrete, index)),
                    None => S::constant(kept[at + i]),
                };
            }
        }
        for (port, number) in [(self.state, STATE), (self.changed, CHANGED), (self.transitions, COUNT)] {
            out.set(port, [S::constant(discrete[number])]);
        }
        for (port, &variable) in self.variables.iter().zip(&discrete[VARIABLES..]) {
            out.set(*port, [S::constant(variable)]);
        }
        let group = leaf.group.map(|group| &self.table.groups[group].name);
        for (name, port) in &self.is_active {
            let is_active = *name == leaf.name || Some(name) == group;
            out.set(*port, [S::constant(number(is_active))]);
        }
    }

    fn has_kinks(&self) -> bool {
        !self.formulas().all(Program::is_smooth)
    }

    fn time_variation(&self, times: (f64, f64)) -> TimeVariation {
        self.formulas().map(|formula| formula.variation(times)).fold(TimeVariation::Steady, faster)
    }

    /// At the start, the first state is entered.
    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        self.enter(ctx, next, true);
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let discrete = ctx.discrete;
        values.fill(-1.0);
        if is_true(discrete[CHANGED]) {
            values[SETTLED] = 1.0;
            return;
        }
        for transition in &self.leaf(discrete).to {
            values[DUE] = -least(-values[DUE], -self.margin(ctx, discrete, transition, None));
            let own = transition.every..transition.every + transition.guard.every.len();
            for every in own {
                values[FIRST_PERIOD + every] = (ctx.time - discrete[self.last(every)]) - self.table.every[every];
            }
        }
    }

    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        let discrete = &mut *state.discrete;
        match witness.index {
            SETTLED => discrete[CHANGED] = 0.0,
            // A transition at this time has come before.
            _ if is_true(discrete[CHANGED]) => {}
            DUE => self.move_on(ctx, discrete, None),
            every => {
                let every = every - FIRST_PERIOD;
                let (last, period) = (self.last(every), self.table.every[every]);
                if ctx.time - discrete[last] > period - simultaneous(ctx.time) {
                    discrete[last] += period;
                    self.move_on(ctx, discrete, Some(every));
                }
            }
        }
    }

    fn mode(&self, discrete: &[f64]) -> Option<&str> {
        Some(&self.leaf(discrete).name)
    }
}
