//! Evaluation: one pass over the schedule, then the derivatives of the continuous state.

use super::call::Call;
use super::schedule::Schedule;
use super::signals::Signals;
use super::state::State;
use super::structure::{Block, Diagram};
use super::values::Values;
use kinegraph_core::system::ErasedScalar;
use kinegraph_core::{Context, Outputs};

impl Diagram {
    /// Computes all outputs at `time` \[s\] and `continuous` state (width [`state_width`](Self::state_width)), with the
    /// discrete state held in `values`. Does not allocate.
    pub fn evaluate<S: ErasedScalar>(&self, time: S, continuous: &[S], values: &mut Values<S>) {
        self.evaluate_schedule(self.schedule(), time, continuous, values);
    }

    /// Computes all outputs at a state, including its discrete part. Does not allocate.
    pub fn evaluate_state(&self, state: &State, values: &mut Values<f64>) {
        values.hold(&state.discrete);
        self.evaluate(state.time, &state.continuous, values);
    }

    /// Computes the outputs in `schedule` at a state, including its discrete part, and leaves all others unchanged.
    /// Does not allocate.
    pub fn evaluate_part(&self, schedule: &Schedule, state: &State, values: &mut Values<f64>) {
        values.hold(&state.discrete);
        self.evaluate_schedule(schedule, state.time, &state.continuous, values);
    }

    /// Computes the outputs in `schedule` and leaves all others unchanged. Does not allocate, apart from the report of
    /// an algebraic loop that cannot be solved ([`Values::fault`]).
    pub fn evaluate_schedule<S: ErasedScalar>(
        &self,
        schedule: &Schedule,
        time: S,
        continuous: &[S],
        values: &mut Values<S>,
    ) {
        debug_assert_eq!(continuous.len(), self.state_width());
        let Values { signals, solver, fault } = values;
        *fault = None;
        let mut done = 0;
        for l in &schedule.loops {
            self.run_calls(&schedule.calls[done..l.calls.start], time, continuous, signals);
            // `values` has a solver if its diagram has loops.
            if let Some(solver) = solver
                && let Err(open) = self.solve_loop(&schedule.calls, l, time, continuous, solver, signals)
            {
                fault.get_or_insert(open);
            }
            done = l.calls.end;
        }
        self.run_calls(&schedule.calls[done..], time, continuous, signals);
    }

    /// Makes calls one after the other.
    pub(super) fn run_calls<S: ErasedScalar>(
        &self,
        calls: &[Call],
        time: S,
        continuous: &[S],
        signals: &mut Signals<S>,
    ) {
        for call in calls {
            let block = &self.blocks()[call.block];
            let ports = block.system.ports();
            // The block reads the arena, so its outputs go to a scratch buffer. Entries that it does not write are
            // zero, never old values.
            let scratch = &mut signals.scratch[..ports.outputs_width()];
            scratch.fill(S::zero());
            let context = Context::new(time, &continuous[block.state.clone()], &signals.arena, &block.inputs)
                .with_discrete(&signals.discrete[block.discrete.clone()]);
            S::outputs(&*block.system, &context, &mut Outputs::new(ports, scratch, &call.wanted));
            for (port, range) in block.outputs.iter().enumerate() {
                if call.wanted[port] {
                    signals.arena[range.clone()].copy_from_slice(&scratch[ports.outputs()[port].range.clone()]);
                }
            }
        }
    }

    /// Computes the time derivatives of the continuous state; `values` must have been evaluated at the same time and
    /// state. Derivatives of plant states are zero here: a plant's motion is solved together with its contacts. Does
    /// not allocate.
    pub fn derivatives<S: ErasedScalar>(&self, time: S, continuous: &[S], values: &Values<S>, derivatives: &mut [S]) {
        self.derivatives_of(|block| block.system.as_plant().is_none(), time, continuous, values, derivatives);
    }

    /// Computes the time derivatives as [`derivatives`](Self::derivatives) does, with the smooth motion of plants:
    /// under gravity, springs, damping and inputs, without contacts and joint stops.
    pub fn derivatives_with_plants<S: ErasedScalar>(
        &self,
        time: S,
        continuous: &[S],
        values: &Values<S>,
        derivatives: &mut [S],
    ) {
        self.derivatives_of(|_| true, time, continuous, values, derivatives);
    }

    fn derivatives_of<S: ErasedScalar>(
        &self,
        moves: impl Fn(&Block) -> bool,
        time: S,
        continuous: &[S],
        values: &Values<S>,
        derivatives: &mut [S],
    ) {
        debug_assert_eq!(continuous.len(), self.state_width());
        derivatives.fill(S::zero());
        for (index, block) in self.blocks().iter().enumerate() {
            if !block.state.is_empty() && moves(block) {
                let context = self.context(index, time, continuous, values);
                S::derivatives(&*block.system, &context, &mut derivatives[block.state.clone()]);
            }
        }
    }

    /// Context of `block` for its methods: time, its own state, and its inputs from `values`.
    pub fn context<'a, S: ErasedScalar>(
        &'a self,
        block: usize,
        time: S,
        continuous: &'a [S],
        values: &'a Values<S>,
    ) -> Context<'a, S> {
        let block = &self.blocks()[block];
        Context::new(time, &continuous[block.state.clone()], &values.signals.arena, &block.inputs)
            .with_discrete(&values.signals.discrete[block.discrete.clone()])
    }
}
