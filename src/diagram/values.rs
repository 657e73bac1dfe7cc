//! The workspace of an evaluation.

use super::algebraic::LoopSolver;
use super::loop_fault::LoopFault;
use super::signals::Signals;
use super::structure::Diagram;
use kinegraph_core::{Out, Scalar, Signal};
use std::ops::Range;

/// All signals of a diagram for one scalar: created once, then evaluated into without allocation.
#[derive(Clone, Debug)]
pub struct Values<S> {
    pub(super) signals: Signals<S>,
    /// Solver of algebraic loops, if there are any.
    pub(super) solver: Option<Box<LoopSolver>>,
    /// The first loop of the last evaluation that could not be solved.
    pub(super) fault: Option<Box<LoopFault>>,
}

impl<S: Scalar> Values<S> {
    /// A workspace for `diagram`; fixed values are in place, outputs are zero until evaluated.
    pub fn new(diagram: &Diagram) -> Self {
        let solver = diagram.inner.schedule.loops.first().map(|_| Box::new(LoopSolver::new(diagram)));
        Values { signals: Signals::new(diagram), solver, fault: None }
    }

    /// Sets the discrete state for the evaluations that follow (before, it is the initial one).
    pub fn hold(&mut self, discrete: &[f64]) {
        self.signals.discrete.copy_from_slice(discrete);
    }

    /// Reason why the last evaluation could not solve an algebraic loop, if so. The outputs of the loop and all that
    /// depend on them are then not-a-number.
    pub fn fault(&self) -> Option<&LoopFault> {
        self.fault.as_deref()
    }

    /// The arena: all outputs, then all fixed values.
    pub fn arena(&self) -> &[S] {
        &self.signals.arena
    }

    /// The arena, to write outputs that are not evaluated (seeds, for instance).
    pub fn arena_mut(&mut self) -> &mut [S] {
        &mut self.signals.arena
    }

    /// The numbers of a range of the arena.
    pub fn get(&self, range: Range<usize>) -> &[S] {
        &self.signals.arena[range]
    }

    /// Copies plain values as constants.
    pub fn set_constants(&mut self, values: &Values<f64>) {
        for (to, from) in self.signals.arena.iter_mut().zip(&values.signals.arena) {
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
        self.range_of(output).map(|range| T::view(&values.signals.arena[range]))
    }
}
