//! Evaluation of a single block.

use super::probe::Probe;
use super::sample::{Sample, initial_discrete};
use crate::port::{BlockId, Tick, Witness};
use crate::scalar::partial;
use crate::{ErasedSystem, In, Numbers, Out, Reset, Signal};
use nalgebra::DMatrix;

/// Evaluates one block without a diagram. It is for tests, so it panics with a message if it is used wrongly.
///
/// ```
/// use kinegraph_systems::{control::Pid, testing::Bench};
///
/// let pid = Pid::new(1, 100.0, 5.0, 7.0)?;
/// let bench = Bench::new(&pid).input(pid.measured, [0.1, 0.0]).input(pid.desired, [1.0, 0.0]);
/// let effort = bench.state([0.2]).eval(pid.effort);
/// assert_eq!(effort, [91.0]);
/// # Ok::<(), kinegraph_systems::parameter::ParameterError>(())
/// ```
#[derive(Clone)]
pub struct Bench<'a> {
    system: &'a dyn ErasedSystem,
    sample: Sample,
}

impl<'a> Bench<'a> {
    /// The block at time zero, in its initial state, with nothing connected.
    pub fn new(block: &'a dyn ErasedSystem) -> Self {
        let ports = block.ports();
        let state = ports.continuous().iter().flat_map(|run| run.initial.iter().copied()).collect();
        let (discrete, inputs) = (initial_discrete(block), vec![None; ports.inputs().len()]);
        Bench { system: block, sample: Sample { time: 0.0, state, discrete, inputs } }
    }

    /// Sets the value of an input.
    #[track_caller]
    pub fn input<T: Signal>(mut self, port: In<T>, values: impl Numbers) -> Self {
        self.own(port.block);
        self.set_input(port.index, values.numbers());
        self
    }

    /// Sets the value of the input `name`, for a block of which only the ports are known.
    #[track_caller]
    pub fn input_named(mut self, name: &str, values: impl Numbers) -> Self {
        let index = self.system.ports().inputs().iter().position(|port| port.name == name);
        let Some(index) = index else { panic!("the block has no input `{name}`") };
        self.set_input(index, values.numbers());
        self
    }

    #[track_caller]
    fn set_input(&mut self, index: usize, values: &[f64]) {
        let declared = &self.system.ports().inputs()[index];
        let (name, width) = (&declared.name, declared.width);
        assert_eq!(values.len(), width, "input `{name}` has width {width} but is given {} values", values.len());
        self.sample.inputs[index] = Some(values.to_vec());
    }

    /// Sets the state of the block (all runs in order of declaration).
    #[track_caller]
    pub fn state(mut self, state: impl Numbers) -> Self {
        let (width, state) = (self.system.ports().continuous_width(), state.numbers());
        assert_eq!(state.len(), width, "the block has {width} continuous states but is given {}", state.len());
        self.sample.state = state.to_vec();
        self
    }

    /// Sets the discrete state of the block (all runs in order of declaration).
    #[track_caller]
    pub fn discrete(mut self, discrete: impl Numbers) -> Self {
        let (width, discrete) = (self.system.ports().discrete_width(), discrete.numbers());
        assert_eq!(discrete.len(), width, "the block has {width} discrete states but is given {}", discrete.len());
        self.sample.discrete = discrete.to_vec();
        self
    }

    /// The current discrete state of the block (all runs in order of declaration).
    pub fn discrete_state(&self) -> Vec<f64> {
        self.sample.discrete.clone()
    }

    /// Sets the time \[s\].
    pub fn time(mut self, time: f64) -> Self {
        self.sample.time = time;
        self
    }

    /// The value of an output. Inputs that it depends on directly must have a value.
    #[track_caller]
    pub fn eval<T: Signal>(&self, output: Out<T>) -> Vec<f64> {
        self.own(output.block);
        self.value_of(output.index)
    }

    /// The value of the output `name`, for a block of which only the ports are known.
    #[track_caller]
    pub fn eval_named(&self, name: &str) -> Vec<f64> {
        let index = self.system.ports().outputs().iter().position(|port| port.name == name);
        let Some(index) = index else { panic!("the block has no output `{name}`") };
        self.value_of(index)
    }

    #[track_caller]
    fn value_of(&self, index: usize) -> Vec<f64> {
        let declared = &self.system.ports().outputs()[index];
        let probe = self.probe(|input| declared.feedthrough.contains(input));
        let mut wanted = vec![false; self.system.ports().outputs().len()];
        wanted[index] = true;
        probe.outputs(&probe.variables, &wanted)[declared.range.clone()].to_vec()
    }

    /// The time derivative of the continuous state.
    #[track_caller]
    pub fn derivatives(&self) -> Vec<f64> {
        let probe = self.probe(|_| true);
        probe.respond(&probe.variables, &probe.all()).derivatives
    }

    /// The discrete state after a periodic event.
    #[track_caller]
    pub fn update(&self, tick: Tick) -> Vec<f64> {
        let probe = self.probe(|_| true);
        let mut next = probe.discrete.clone();
        self.system.update(tick, &probe.context(&probe.variables), &mut next);
        next
    }

    /// The values of the witness functions.
    #[track_caller]
    pub fn witnesses(&self) -> Vec<f64> {
        let probe = self.probe(|_| true);
        let mut values = vec![f64::NAN; self.system.ports().witnesses().len()];
        self.system.witnesses(&probe.context(&probe.variables), &mut values);
        values
    }

    /// The continuous and the discrete state after a crossing of a witness function.
    #[track_caller]
    pub fn reset(&self, witness: Witness) -> (Vec<f64>, Vec<f64>) {
        let probe = self.probe(|_| true);
        let (mut continuous, mut discrete) = (self.sample.state.clone(), probe.discrete.clone());
        let mut state = Reset { continuous: &mut continuous, discrete: &mut discrete };
        self.system.reset(witness, &probe.context(&probe.variables), &mut state);
        (continuous, discrete)
    }

    /// The discrete state after an event that led from here to `after`, for a block that watches jumps.
    #[track_caller]
    pub fn jumped(&self, after: &Bench<'_>) -> Vec<f64> {
        let (before, after) = (self.probe(|_| true), after.probe(|_| true));
        let mut next = after.discrete.clone();
        self.system.jumped(&before.context(&before.variables), &after.context(&after.variables), &mut next);
        next
    }

    /// ∂output/∂input, one row per element of the output, one column per element of the input, computed with jets.
    #[track_caller]
    pub fn jacobian<I: Signal, O: Signal>(&self, input: In<I>, output: Out<O>) -> DMatrix<f64> {
        self.own(input.block);
        self.own(output.block);
        let rows = self.system.ports().outputs()[output.index].range.clone();
        let probe = self.probe(|_| true);
        let variables = probe.inputs[input.index].clone();
        let columns = variables.unwrap_or_else(|| panic!("the input has no value: give it one with `Bench::input`"));
        let mut jacobian = DMatrix::zeros(rows.len(), columns.len());
        for (chunk, response) in probe.jets(columns.clone()) {
            for (direction, variable) in chunk.enumerate() {
                for (row, jet) in response.outputs[rows.clone()].iter().enumerate() {
                    jacobian[(row, variable - columns.start)] = partial(jet, direction);
                }
            }
        }
        jacobian
    }

    /// The block at the sample. Required inputs must have values; those that are not `needed` may be left out and are
    /// NaN.
    #[track_caller]
    fn probe(&self, needed: impl Fn(usize) -> bool) -> Probe<'a> {
        let mut sample = self.sample.clone();
        for (index, port) in self.system.ports().inputs().iter().enumerate() {
            let input = &mut sample.inputs[index];
            if input.is_none() && !port.optional {
                assert!(!needed(index), "input `{}` has no value: give it one with `Bench::input`", port.name);
                *input = Some(vec![f64::NAN; port.width]);
            }
        }
        Probe::new(self.system, &sample)
    }

    #[track_caller]
    fn own(&self, block: BlockId) {
        assert!(block == self.system.ports().id(), "this port belongs to another block than the one on the bench");
    }
}
