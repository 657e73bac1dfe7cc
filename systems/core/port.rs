//! Typed port handles, and the declaration of a block's ports and state.
//!
//! A block's constructor declares its ports on a [`Ports`] and keeps the handles as public fields, so that
//! wiring reads `b.connect(plant.state("arm"), controller.estimated_state)`.

use crate::picture::Picture;
use crate::signal::{Dyn, FixedWidth, Signal, SignalKind};
use crate::unit_rules::UnitRule;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Distinguishes the blocks of a process, so that a port handle knows the block it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId(u64);

impl BlockId {
    fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        BlockId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Handle of an input port carrying signal `T`.
pub struct In<T: Signal> {
    /// The block that declared the port.
    pub block: BlockId,
    /// Position among the block's inputs.
    pub index: usize,
    signal: PhantomData<fn() -> T>,
}

/// Handle of an output port carrying signal `T`.
pub struct Out<T: Signal> {
    /// The block that declared the port.
    pub block: BlockId,
    /// Position among the block's outputs.
    pub index: usize,
    signal: PhantomData<fn() -> T>,
}

macro_rules! handle_traits {
    ($($handle:ident),*) => {$(
        impl<T: Signal> Clone for $handle<T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T: Signal> Copy for $handle<T> {}
        impl<T: Signal> std::fmt::Debug for $handle<T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({:?}, {})", stringify!($handle), T::KIND, self.index)
            }
        }
    )*};
}
handle_traits!(In, Out);

/// A declared input port.
#[derive(Clone, Debug)]
pub struct InputPort {
    /// Name within the block.
    pub name: String,
    /// Meaning of the numbers.
    pub kind: SignalKind,
    /// Number of scalars.
    pub width: usize,
    /// True if the port may stay unconnected (the block then sees `None`).
    pub optional: bool,
    /// Names of the numbers, for lists of ports; empty: numbered.
    pub elements: Vec<String>,
    /// Index of the vector input of which this scalar input is an element: a diagram may drive one of the two, not
    /// both.
    pub element_of: Option<usize>,
    /// Units that the numbers must have (`N m`); empty: any.
    pub units: Vec<&'static str>,
}

impl InputPort {
    /// The unit that number `i` must have; empty for any.
    pub fn unit(&self, i: usize) -> &'static str {
        self.units.get(i).copied().unwrap_or_else(|| self.kind.unit(i))
    }
}

/// A declared output port.
#[derive(Clone, Debug)]
pub struct OutputPort {
    /// Name within the block.
    pub name: String,
    /// Meaning of the numbers.
    pub kind: SignalKind,
    /// Number of scalars.
    pub width: usize,
    /// Range of the port's numbers among all outputs of the block.
    pub range: Range<usize>,
    /// Names of the numbers (`joint1.q`, …); empty: numbered.
    pub elements: Vec<String>,
    /// Units of the numbers (`rad`, `m/s`); empty: those of the kind, if it has any.
    pub units: Vec<&'static str>,
    /// Names of the values 0, 1, … of an output that is a choice, such as the active state; empty for others.
    pub choices: Vec<String>,
    /// Layout of a picture or a scan; `None` for other outputs.
    pub picture: Option<Picture>,
    /// The inputs the output depends on directly (`true` at the input's index); default: all.
    pub feedthrough: Feedthrough,
}

impl OutputPort {
    /// Names of the numbers within the block: the given ones, or else `port` for a single number and `port[i]` for
    /// several.
    pub fn element_names(&self) -> Vec<String> {
        match self.width {
            _ if !self.elements.is_empty() => self.elements.clone(),
            1 => vec![self.name.clone()],
            width => (0..width).map(|i| format!("{}[{i}]", self.name)).collect(),
        }
    }

    /// Indices of the numbers whose names begin with `group` and a point.
    pub fn group(&self, group: &str) -> Vec<usize> {
        let of_group = self.elements.iter().enumerate().filter(|(_, name)| is_of_group(name, group));
        of_group.map(|(place, _)| place).collect()
    }

    /// The unit of number `i`; empty if none is declared.
    pub fn unit(&self, i: usize) -> &'static str {
        self.units.get(i).copied().unwrap_or_else(|| self.kind.unit(i))
    }
}

/// True if the element `name` belongs to the group `group`: `arm.hand.pose.px` to `arm.hand.pose`.
fn is_of_group(name: &str, group: &str) -> bool {
    name.strip_prefix(group).is_some_and(|rest| rest.starts_with('.'))
}

/// The inputs on which an output depends without passing through state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feedthrough {
    /// Every input (the safe default).
    All,
    /// Only the inputs with these indices.
    Only(Vec<usize>),
}

impl Feedthrough {
    /// True if the output depends directly on input `index`.
    pub fn contains(&self, index: usize) -> bool {
        match self {
            Feedthrough::All => true,
            Feedthrough::Only(inputs) => inputs.contains(&index),
        }
    }
}

/// A named, contiguous part of a block's state.
#[derive(Clone, Debug)]
pub struct StateRun {
    /// Name within the block.
    pub name: String,
    /// Names of the elements; empty: numbered.
    pub elements: Vec<String>,
    /// Initial values; their number is the size of the run.
    pub initial: Vec<f64>,
}

/// Handle of a periodic event of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tick {
    /// Position among the block's periodic events.
    pub index: usize,
}

impl std::fmt::Display for Sampling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.is_once(), self.offset) {
            (true, time) => write!(f, "at {time} s"),
            (false, 0.0) => write!(f, "every {} s", self.period),
            (false, offset) => write!(f, "every {} s from {offset} s", self.period),
        }
    }
}

/// Times of a periodic event: `offset + k period`, k = 0, 1, 2, … (not before the start of the simulation).
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sampling {
    /// Time between two events \[s\].
    pub period: f64,
    /// Time of the first event \[s\]; an offset of zero fires at the start of the simulation.
    pub offset: f64,
}

impl Sampling {
    /// Events every `period` \[s\] from time zero on.
    pub fn every(period: f64) -> Self {
        Sampling { period, offset: 0.0 }
    }

    /// A single event at `time` \[s\]: the second one lies beyond every simulation.
    pub fn once(time: f64) -> Self {
        Sampling { period: f64::MAX, offset: time }
    }

    /// True if the event fires only once.
    pub fn is_once(&self) -> bool {
        self.period == f64::MAX
    }

    /// The first time after `time` at which the event fires; a time within rounding of `time` is not after it.
    pub fn next_after(&self, time: f64) -> f64 {
        let now = time + simultaneous(time);
        let k = ((now - self.offset) / self.period).floor();
        let mut k = if k < 0.0 { 0 } else { k as u64 };
        // Times are always computed as offset + k period, so that they do not drift; by rounding, the floor may be off
        // by one.
        if k > 0 && self.time(k - 1) > now {
            k -= 1;
        }
        for _ in 0..2 {
            if self.time(k) <= now {
                k += 1;
            }
        }
        self.time(k)
    }

    /// True if the event fires at `time`, up to rounding.
    pub fn fires_at(&self, time: f64) -> bool {
        let k = ((time - self.offset) / self.period).round();
        k >= 0.0 && (self.offset + k * self.period - time).abs() <= simultaneous(time)
    }

    /// The time of event `k` \[s\].
    pub fn time(&self, k: u64) -> f64 {
        self.offset + k as f64 * self.period
    }
}

/// Tolerance within which a time equals `time` \[s\]: 3 x 0.1 and 1 x 0.3 differ in the last bit.
pub fn simultaneous(time: f64) -> f64 {
    1e-12 * time.abs().max(1e-3)
}

/// Handle of a witness function of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Witness {
    /// Position among the block's witness functions.
    pub index: usize,
}

/// Sign changes of a witness function that are events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Crossing {
    /// From negative or zero to positive.
    Rising,
    /// From positive or zero to negative.
    Falling,
    /// Any change of sign.
    Either,
}

impl Crossing {
    /// True if a witness function that went from one value to another has crossed in this direction.
    pub fn has_happened(self, from: f64, to: f64) -> bool {
        let (rising, falling) = (from <= 0.0 && to > 0.0, from >= 0.0 && to < 0.0);
        match self {
            Crossing::Rising => rising,
            Crossing::Falling => falling,
            Crossing::Either => rising || falling,
        }
    }
}

/// A declared witness function.
#[derive(Clone, Debug)]
pub struct WitnessFunction {
    /// Name within the block.
    pub name: String,
    /// Changes of sign that are events.
    pub crossing: Crossing,
    /// True if it is an event too where it is positive after an event, also one of its own block.
    pub is_level: bool,
}

/// Declaration of a block: its ports, its state, and the direct feedthrough of its outputs.
#[derive(Debug)]
pub struct Ports {
    id: BlockId,
    inputs: Vec<InputPort>,
    outputs: Vec<OutputPort>,
    continuous: Vec<StateRun>,
    discrete: Vec<StateRun>,
    ticks: Vec<Sampling>,
    witnesses: Vec<WitnessFunction>,
    pub(crate) unit_rules: Vec<UnitRule>,
}

impl Default for Ports {
    fn default() -> Self {
        Self::new()
    }
}

impl Ports {
    /// An empty declaration for a new block.
    pub fn new() -> Self {
        Ports {
            id: BlockId::fresh(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            continuous: Vec::new(),
            discrete: Vec::new(),
            ticks: Vec::new(),
            witnesses: Vec::new(),
            unit_rules: Vec::new(),
        }
    }

    /// Declares an input of fixed width.
    pub fn input<T: FixedWidth>(&mut self, name: impl Into<String>) -> In<T> {
        self.input_of_width(name, T::SCALARS)
    }

    /// Declares an input of the given width (scalars).
    pub fn input_of_width<T: Signal>(&mut self, name: impl Into<String>, width: usize) -> In<T> {
        debug_assert!(T::WIDTH.is_none_or(|w| w == width));
        let (kind, optional, elements, element_of) = (T::KIND, false, Vec::new(), None);
        let units = Vec::new();
        self.inputs.push(InputPort { name: name.into(), kind, width, optional, elements, element_of, units });
        In { block: self.id, index: self.inputs.len() - 1, signal: PhantomData }
    }

    /// Declares an input that may stay unconnected; read it with
    /// [`Context::get_optional`](crate::Context::get_optional).
    pub fn optional_input_of_width<T: Signal>(&mut self, name: impl Into<String>, width: usize) -> In<T> {
        let port = self.input_of_width(name, width);
        self.inputs[port.index].optional = true;
        port
    }

    /// Declares an input that drives one element of the optional input `whole`. A diagram that connects both is
    /// refused.
    pub fn input_element(&mut self, whole: In<Dyn>, name: impl Into<String>) -> In<Dyn> {
        let port = self.optional_input_of_width(name, 1);
        self.inputs[port.index].element_of = Some(whole.index);
        port
    }

    /// Declares an output of fixed width.
    pub fn output<T: FixedWidth>(&mut self, name: impl Into<String>) -> Out<T> {
        self.output_of_width(name, T::SCALARS)
    }

    /// Declares an output of the given width (scalars).
    pub fn output_of_width<T: Signal>(&mut self, name: impl Into<String>, width: usize) -> Out<T> {
        debug_assert!(T::WIDTH.is_none_or(|w| w == width));
        let at = self.outputs_width();
        self.outputs.push(OutputPort {
            name: name.into(),
            kind: T::KIND,
            width,
            range: at..at + width,
            elements: Vec::new(),
            units: Vec::new(),
            choices: Vec::new(),
            picture: None,
            feedthrough: Feedthrough::All,
        });
        Out { block: self.id, index: self.outputs.len() - 1, signal: PhantomData }
    }

    /// Names the numbers of an output (`joint1.q`, `joint1.v`, …).
    pub fn name_elements<T: Signal>(&mut self, port: Out<T>, elements: Vec<String>) {
        debug_assert_eq!(elements.len(), self.outputs[port.index].width);
        self.outputs[port.index].elements = elements;
    }

    /// States the units of the numbers of an output.
    pub fn set_units<T: Signal>(&mut self, port: Out<T>, units: Vec<&'static str>) {
        debug_assert_eq!(units.len(), self.outputs[port.index].width);
        self.outputs[port.index].units = units;
    }

    /// Names the values 0, 1, … of an output that is a choice: recordings that hold words have them.
    pub fn name_choices<T: Signal>(&mut self, port: Out<T>, choices: Vec<String>) {
        self.outputs[port.index].choices = choices;
    }

    /// States the units that the numbers of an input must have.
    pub fn set_input_units<T: Signal>(&mut self, port: In<T>, units: Vec<&'static str>) {
        debug_assert_eq!(units.len(), self.inputs[port.index].width);
        self.inputs[port.index].units = units;
    }

    /// States that the numbers of an output are a picture or a scan.
    pub fn set_picture<T: Signal>(&mut self, port: Out<T>, picture: Picture) {
        debug_assert_eq!(self.outputs[port.index].width, picture.rows * picture.columns);
        self.outputs[port.index].picture = Some(picture);
    }

    /// Names the numbers of an input (`joint1`, `joint2`, …).
    pub fn name_input_elements<T: Signal>(&mut self, port: In<T>, elements: Vec<String>) {
        debug_assert_eq!(elements.len(), self.inputs[port.index].width);
        self.inputs[port.index].elements = elements;
    }

    /// States that `output` depends on no input directly (only on state and time).
    pub fn no_feedthrough<T: Signal>(&mut self, output: Out<T>) {
        self.outputs[output.index].feedthrough = Feedthrough::Only(Vec::new());
    }

    /// States that output `index` depends on no input directly.
    pub fn no_feedthrough_at(&mut self, index: usize) {
        self.outputs[index].feedthrough = Feedthrough::Only(Vec::new());
    }

    /// States that `output` depends directly on `input`; the first call drops the default dependence on all inputs.
    pub fn feedthrough<I: Signal, O: Signal>(&mut self, output: Out<O>, input: In<I>) {
        let f = &mut self.outputs[output.index].feedthrough;
        match f {
            Feedthrough::All => *f = Feedthrough::Only(vec![input.index]),
            Feedthrough::Only(inputs) => inputs.push(input.index),
        }
    }

    /// Declares a run of continuous state with its initial values.
    pub fn continuous_state(&mut self, name: impl Into<String>, initial: Vec<f64>) {
        self.continuous.push(StateRun { name: name.into(), elements: Vec::new(), initial });
    }

    /// Declares a run of continuous state whose elements have names.
    pub fn named_continuous_state(&mut self, name: impl Into<String>, elements: Vec<String>, initial: Vec<f64>) {
        debug_assert_eq!(elements.len(), initial.len());
        self.continuous.push(StateRun { name: name.into(), elements, initial });
    }

    /// Declares a run of discrete state with its initial values. Discrete state changes at events only.
    pub fn discrete_state(&mut self, name: impl Into<String>, initial: Vec<f64>) {
        self.discrete.push(StateRun { name: name.into(), elements: Vec::new(), initial });
    }

    /// Declares a periodic event, at which [`LeafSystem::update`](crate::LeafSystem::update) is called.
    pub fn periodic(&mut self, sampling: Sampling) -> Tick {
        self.ticks.push(sampling);
        Tick { index: self.ticks.len() - 1 }
    }

    /// Declares a witness function, at whose crossings [`LeafSystem::reset`](crate::LeafSystem::reset) is called.
    pub fn witness(&mut self, name: impl Into<String>, crossing: Crossing) -> Witness {
        self.witnesses.push(WitnessFunction { name: name.into(), crossing, is_level: false });
        Witness { index: self.witnesses.len() - 1 }
    }

    /// Declares an input like that of another block. Returns its index.
    pub fn input_like(&mut self, name: impl Into<String>, like: &InputPort) -> usize {
        self.inputs.push(InputPort { name: name.into(), element_of: None, ..like.clone() });
        self.inputs.len() - 1
    }

    /// Declares an input that an output like this one may drive. Returns its index.
    pub fn input_for(&mut self, name: impl Into<String>, output: &OutputPort) -> usize {
        let (kind, width, elements) = (output.kind, output.width, output.elements.clone());
        let (name, optional, element_of, units) = (name.into(), false, None, Vec::new());
        self.inputs.push(InputPort { name, kind, width, optional, elements, element_of, units });
        self.inputs.len() - 1
    }

    /// Declares a witness function like that of another block.
    pub fn witness_like(&mut self, like: &WitnessFunction) {
        self.witnesses.push(like.clone());
    }

    /// Declares an output like that of another block, which depends on all inputs. Returns its index.
    pub fn output_like(&mut self, name: impl Into<String>, like: &OutputPort) -> usize {
        let at = self.outputs_width();
        let (range, feedthrough) = (at..at + like.width, Feedthrough::All);
        self.outputs.push(OutputPort { name: name.into(), range, feedthrough, ..like.clone() });
        self.outputs.len() - 1
    }

    /// Declares a witness function that is positive where something is due: an event where it becomes positive, and
    /// where it is so after any event, until [`LeafSystem::reset`](crate::LeafSystem::reset) has made it negative.
    pub fn level_witness(&mut self, name: impl Into<String>) -> Witness {
        let witness = self.witness(name, Crossing::Rising);
        self.witnesses[witness.index].is_level = true;
        witness
    }

    /// A copy for a block that stands for this one and passes calls on to it: handles of this one are handles of the
    /// copy, and outputs depend on the inputs of this one only. Periodic events and witness functions are left out.
    pub fn for_wrapper(&self) -> Ports {
        let Ports { id, inputs, continuous, discrete, unit_rules, .. } = self;
        let all: Vec<usize> = (0..inputs.len()).collect();
        let mut outputs = self.outputs.clone();
        for output in outputs.iter_mut().filter(|output| output.feedthrough == Feedthrough::All) {
            output.feedthrough = Feedthrough::Only(all.clone());
        }
        Ports {
            id: *id,
            inputs: inputs.clone(),
            outputs,
            continuous: continuous.clone(),
            discrete: discrete.clone(),
            ticks: Vec::new(),
            witnesses: Vec::new(),
            unit_rules: unit_rules.clone(),
        }
    }

    /// Ports with these inputs and outputs, in which the discrete state stands behind the continuous state as further
    /// continuous state, without events.
    pub fn with_held_as_continuous(&self) -> Ports {
        Ports {
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            continuous: [self.continuous.as_slice(), &self.discrete].concat(),
            ..Ports::new()
        }
    }

    /// Identity of this block.
    pub fn id(&self) -> BlockId {
        self.id
    }

    /// All inputs, in order of declaration.
    pub fn inputs(&self) -> &[InputPort] {
        &self.inputs
    }

    /// All outputs, in order of declaration.
    pub fn outputs(&self) -> &[OutputPort] {
        &self.outputs
    }

    /// Finds the numbers of a group within one output: those whose names begin with `group` and a point
    /// (`arm.hand.pose`). Returns the index of the output and the indices of the numbers in it, or `None` if no output
    /// or more than one has such numbers.
    pub fn group(&self, group: &str) -> Option<(usize, Vec<usize>)> {
        let mut found = None;
        for (port, output) in self.outputs.iter().enumerate() {
            let places = output.group(group);
            if !places.is_empty() && found.replace((port, places)).is_some() {
                return None;
            }
        }
        found
    }

    /// All runs of continuous state, in order of declaration.
    pub fn continuous(&self) -> &[StateRun] {
        &self.continuous
    }

    /// All runs of discrete state, in order of declaration.
    pub fn discrete(&self) -> &[StateRun] {
        &self.discrete
    }

    /// All periodic events, in order of declaration.
    pub fn ticks(&self) -> &[Sampling] {
        &self.ticks
    }

    /// All witness functions, in order of declaration.
    pub fn witnesses(&self) -> &[WitnessFunction] {
        &self.witnesses
    }

    /// Number of discrete states of all runs together.
    pub fn discrete_width(&self) -> usize {
        self.discrete.iter().map(|run| run.initial.len()).sum()
    }

    /// Number of scalars of all outputs together.
    pub fn outputs_width(&self) -> usize {
        self.outputs.last().map_or(0, |o| o.range.end)
    }

    /// Number of continuous states of all runs together.
    pub fn continuous_width(&self) -> usize {
        self.continuous.iter().map(|run| run.initial.len()).sum()
    }
}
