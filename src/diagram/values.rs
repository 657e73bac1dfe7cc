//! The workspace of an evaluation.

use super::algebraic::{LoopFault, Workspace};
use super::structure::Diagram;
use kinegraph_systems::{Out, Scalar, Signal};
use std::ops::Range;

/// All signals of a diagram for one scalar: created once, then evaluated into without allocation.
#[derive(Clone, Debug)]
pub struct Values<S> {
    pub(super) arena: Vec<S>,
    pub(super) scratch: Vec<S>,
    /// The discrete state: constant between events, whatever the scalar.
    pub(super) discrete: Vec<f64>,
    /// What algebraic loops are solved in, if there are any.
    pub(super) workspace: Option<Box<Workspace>>,
    /// The first loop of the last evaluation that could not be solved.
    pub(super) fault: Option<Box<LoopFault>>,
}

impl<S: Scalar> Values<S> {
    /// A workspace for `diagram`; fixed values are in place, outputs are zero until evaluated.
    pub fn new(diagram: &Diagram) -> Self {
        let workspace = diagram.inner.schedule.loops.first().map(|_| Box::new(Workspace::new(diagram)));
        Values { workspace, ..Self::without_workspace(diagram) }
    }

    /// The same for evaluations that solve no loop.
    pub(super) fn without_workspace(diagram: &Diagram) -> Self {
        let mut arena = vec![S::zero(); diagram.arena_width()];
        for (range, values) in &diagram.inner.fixed {
            for (at, value) in range.clone().zip(values) {
                arena[at] = S::constant(*value);
            }
        }
        let discrete = diagram.initial_discrete();
        Values { arena, scratch: vec![S::zero(); diagram.inner.scratch_width], discrete, workspace: None, fault: None }
    }

    /// Holds a discrete state for the evaluations that follow (the initial one, if none was given).
    pub fn hold(&mut self, discrete: &[f64]) {
        self.discrete.copy_from_slice(discrete);
    }

    /// Why the last evaluation could not solve an algebraic loop, if so; the outputs of the loop and all that depends
    /// on them are then not-a-number.
    pub fn fault(&self) -> Option<&LoopFault> {
        self.fault.as_deref()
    }

    /// The arena: all outputs, then all fixed values.
    pub fn arena(&self) -> &[S] {
        &self.arena
    }

    /// The arena, to write outputs that are not evaluated (seeds, for instance).
    pub fn arena_mut(&mut self) -> &mut [S] {
        &mut self.arena
    }

    /// The numbers of a range of the arena.
    pub fn get(&self, range: Range<usize>) -> &[S] {
        &self.arena[range]
    }

    /// Takes over plain values as constants.
    pub fn set_constants(&mut self, values: &Values<f64>) {
        for (to, from) in self.arena.iter_mut().zip(&values.arena) {
            *to = S::constant(*from);
        }
    }
}

impl Diagram {
    /// A workspace for evaluations with scalar `S`.
    pub fn values<S: Scalar>(&self) -> Values<S> {
        Values::new(self)
    }

    /// The value of an output after an evaluation; `None` if its block is not in this diagram.
    pub fn read<'a, T: Signal, S: Scalar>(&self, output: Out<T>, values: &'a Values<S>) -> Option<T::View<'a, S>> {
        self.range_of(output).map(|range| T::view(&values.arena[range]))
    }
}
