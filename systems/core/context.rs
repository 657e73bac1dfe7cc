//! Evaluation context of a block (time, state, inputs) and the buffer for its outputs.

use crate::port::{In, Out, Ports};
use crate::scalar::Scalar;
use crate::signal::Signal;
use std::ops::Range;

/// Evaluation context of a block: time, its own state and its inputs.
#[derive(Clone, Copy)]
pub struct Context<'a, S> {
    /// Time \[s\].
    pub time: S,
    /// The block's continuous state, all runs in order of declaration.
    pub continuous: &'a [S],
    /// The block's discrete state, all runs in order of declaration.
    pub discrete: &'a [f64],
    values: &'a [S],
    inputs: &'a [Option<Range<usize>>],
}

impl<'a, S: Scalar> Context<'a, S> {
    /// A context over `values`, in which input `i` of the block stands at `inputs[i]` (`None`: unconnected).
    pub fn new(time: S, continuous: &'a [S], values: &'a [S], inputs: &'a [Option<Range<usize>>]) -> Self {
        Context { time, continuous, discrete: &[], values, inputs }
    }

    /// Adds the block's discrete state to the context.
    pub fn with_discrete(self, discrete: &'a [f64]) -> Self {
        Context { discrete, ..self }
    }

    /// Replaces the continuous state of the block.
    pub fn with_continuous(self, continuous: &'a [S]) -> Self {
        Context { continuous, ..self }
    }

    /// The value of a required input: an array for a fixed width, a slice for a run-time width.
    pub fn get<T: Signal>(&self, port: In<T>) -> T::View<'a, S> {
        let range = self.inputs[port.index].clone().expect("a diagram connects every required input");
        T::view(&self.values[range])
    }

    /// The numbers of input `index`; `None` if it is not connected.
    pub fn input(&self, index: usize) -> Option<&'a [S]> {
        self.inputs[index].clone().map(|range| &self.values[range])
    }

    /// The value of an optional input; `None` if it is not connected.
    pub fn get_optional<T: Signal>(&self, port: In<T>) -> Option<T::View<'a, S>> {
        self.inputs[port.index].clone().map(|range| T::view(&self.values[range]))
    }
}

/// Buffer to which a block writes its outputs.
///
/// A diagram evaluates a block in parts when its outputs depend on different inputs. Then only the wanted outputs are
/// kept, and the inputs of the others may hold old values. A block may skip outputs that are not wanted, but need not.
pub struct Outputs<'a, S> {
    ports: &'a Ports,
    values: &'a mut [S],
    wanted: &'a [bool],
}

impl<'a, S: Scalar> Outputs<'a, S> {
    /// Outputs written to `values` (all outputs of the block, contiguous); output `i` is kept if `wanted[i]`.
    pub fn new(ports: &'a Ports, values: &'a mut [S], wanted: &'a [bool]) -> Self {
        Outputs { ports, values, wanted }
    }

    /// True if this output is asked for in this call.
    pub fn wanted<T: Signal>(&self, port: Out<T>) -> bool {
        self.wanted[port.index]
    }

    /// Writes an output.
    pub fn set<T: Signal>(&mut self, port: Out<T>, value: impl AsRef<[S]>) {
        self.slice(port).copy_from_slice(value.as_ref());
    }

    /// Writes output `index`.
    pub fn set_index(&mut self, index: usize, value: &[S]) {
        self.values[self.ports.outputs()[index].range.clone()].copy_from_slice(value);
    }

    /// The numbers of output `index`, to write in place.
    pub fn slice_at(&mut self, index: usize) -> &mut [S] {
        &mut self.values[self.ports.outputs()[index].range.clone()]
    }

    /// The numbers of an output, to write in place.
    pub fn slice<T: Signal>(&mut self, port: Out<T>) -> &mut [S] {
        &mut self.values[self.ports.outputs()[port.index].range.clone()]
    }
}
