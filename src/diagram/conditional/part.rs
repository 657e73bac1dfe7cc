//! A block of a diagram that runs on a condition.

use super::level::{self, count_due, held, is_true, truth_due};
use super::{States, When};
use kinegraph_core::logic::{UNDECIDED, number};
use kinegraph_core::port::{Crossing, Sampling, Tick, Witness, simultaneous};
use kinegraph_core::scalar::{Jet, Scalar};
use kinegraph_core::scene::Marker;
use kinegraph_core::{
    Context, ConvexPlant, DerivativePolicy, ErasedSystem, Fixed, In, Outputs, Ports, Reset, TimeVariation,
};
use std::sync::Arc;

/// A block, and whether it runs.
pub(super) struct Part {
    block: Arc<dyn ErasedSystem>,
    when: When,
    condition: In<Fixed<1>>,
    /// Initial state of the block.
    initial: (Vec<f64>, Vec<f64>),
    /// Periodic event of the block behind each one that is declared; `None`: the one of the condition.
    ticks: Vec<Option<Tick>>,
    /// Number of witness functions of the block; the one of the condition follows.
    witnesses: usize,
    ports: Ports,
}

/// Its own discrete state, behind that of the block: the truth of the condition or the count of triggers; 1 before it
/// ran; the time \[s\] at which periodic events came while it did not run; the witness functions when it stopped.
const STATE: usize = 0;
const IS_NEW: usize = 1;
const PASSED_OVER: usize = 2;
const KEPT: usize = 3;

impl Part {
    /// `block`, which runs on a condition.
    pub fn new(block: Arc<dyn ErasedSystem>, when: When) -> Self {
        let own = block.ports();
        let mut ports = own.for_wrapper();
        let mut name = when.input().to_owned();
        while own.inputs().iter().any(|input| input.name == name) {
            name.push('_');
        }
        let condition = ports.input(name);
        let (continuous, discrete) = (own.continuous(), own.discrete());
        let initial = [continuous, discrete].map(|runs| runs.iter().flat_map(|run| run.initial.clone()).collect());
        let [of_continuous, of_discrete]: [Vec<f64>; 2] = initial;
        let witnesses = own.witnesses().len();
        let mut ticks = Vec::new();
        match when {
            When::Enabled(..) => {
                ports.discrete_state("enabled", vec![UNDECIDED, 1.0, f64::MIN]);
                ports.discrete_state("functions_when_disabled", vec![0.0; witnesses]);
                ports.periodic(Sampling::once(0.0));
                ticks.push(None);
            }
            When::Triggered(_) => ports.discrete_state("triggers", vec![0.0]),
            When::Reset(_) => {}
        }
        for (index, &tick) in own.ticks().iter().enumerate() {
            // The periods of what is triggered do not count; what happens once is the start.
            if tick.is_once() || !matches!(when, When::Triggered(_)) {
                ports.periodic(tick);
                ticks.push(Some(Tick { index }));
            }
        }
        own.witnesses().iter().for_each(|function| ports.witness_like(function));
        let edge = if let When::Reset(edge) = when { edge } else { Crossing::Rising };
        ports.witness(when.input(), edge);
        Part { when, condition, initial: (of_continuous, of_discrete), ticks, witnesses, ports, block }
    }

    /// Name of its input for the condition.
    pub fn signal(&self) -> &str {
        &self.ports.inputs()[self.condition.index].name
    }

    /// Number of discrete states of the block.
    fn discrete(&self) -> usize {
        self.initial.1.len()
    }

    /// The context as the block sees it.
    fn inner<'a, S: Scalar>(&self, ctx: &Context<'a, S>) -> Context<'a, S> {
        (*ctx).with_discrete(&ctx.discrete[..self.discrete()])
    }

    /// True if the block runs, by the discrete state `all` or, before that holds a truth, by the signal.
    fn runs<S: Scalar>(&self, all: &[f64], ctx: &Context<S>) -> bool {
        !matches!(self.when, When::Enabled(..)) || held(all[self.discrete() + STATE], ctx, self.condition)
    }

    /// Updates the block at those of its periodic events that `fires` selects.
    fn update_at(&self, ctx: &Context<f64>, next: &mut [f64], fires: impl Fn(&Sampling) -> bool) {
        for (index, sampling) in self.block.ports().ticks().iter().enumerate() {
            if fires(sampling) {
                self.block.update(Tick { index }, ctx, next);
            }
        }
    }

    /// Lets the states begin anew, with what happens once at the start.
    fn begin_anew(&self, ctx: &Context<f64>, state: &mut Reset) {
        let n = self.discrete();
        state.continuous.copy_from_slice(&self.initial.0);
        state.discrete[..n].copy_from_slice(&self.initial.1);
        let mut ctx = (*ctx).with_discrete(&self.initial.1);
        ctx.continuous = &self.initial.0;
        let time = ctx.time;
        self.update_at(&ctx, &mut state.discrete[..n], |tick| tick.is_once() && tick.offset <= time);
    }

    fn enable(&self, ctx: &Context<f64>, state: &mut Reset, states: States) {
        let n = self.discrete();
        let is_new = state.discrete[n + IS_NEW] > 0.5;
        let inner = self.inner(ctx);
        let time = ctx.time;
        if is_new {
            self.update_at(&inner, &mut state.discrete[..n], |tick| tick.is_once() && tick.offset <= time);
        } else if states == States::Reset {
            self.begin_anew(ctx, state);
        } else {
            let mut now = vec![0.0; self.witnesses];
            self.block.witnesses(&inner, &mut now);
            for (index, function) in self.block.ports().witnesses().iter().enumerate() {
                if function.crossing.has_happened(state.discrete[n + KEPT + index], now[index]) {
                    let (discrete, _) = state.discrete.split_at_mut(n);
                    let mut own = Reset { continuous: &mut *state.continuous, discrete };
                    self.block.reset(Witness { index }, &inner, &mut own);
                }
            }
        }
        if (state.discrete[n + PASSED_OVER] - time).abs() <= simultaneous(time) {
            self.update_at(&inner, &mut state.discrete[..n], |tick| !tick.is_once() && tick.fires_at(time));
        }
        (state.discrete[n + STATE], state.discrete[n + IS_NEW]) = (1.0, 0.0);
    }

    fn disable(&self, ctx: &Context<f64>, state: &mut Reset) {
        let n = self.discrete();
        state.discrete[n + STATE] = 0.0;
        self.block.witnesses(&self.inner(ctx), &mut state.discrete[n + KEPT..]);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S], of: impl FnOnce(&Context<S>, &mut [S])) {
        if self.runs(ctx.discrete, ctx) {
            of(&self.inner(ctx), derivatives);
        } else {
            derivatives.fill(S::zero());
        }
    }
}

// Messages of the compiler do not list it among the types that are blocks.
#[diagnostic::do_not_recommend]
impl ErasedSystem for Part {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs_f64(&self, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        self.block.outputs_f64(&self.inner(ctx), out);
    }
    fn outputs_jet(&self, ctx: &Context<Jet>, out: &mut Outputs<Jet>) {
        self.block.outputs_jet(&self.inner(ctx), out);
    }
    fn derivatives_f64(&self, ctx: &Context<f64>, derivatives: &mut [f64]) {
        self.derivatives(ctx, derivatives, |ctx, out| self.block.derivatives_f64(ctx, out));
    }
    fn derivatives_jet(&self, ctx: &Context<Jet>, derivatives: &mut [Jet]) {
        self.derivatives(ctx, derivatives, |ctx, out| self.block.derivatives_jet(ctx, out));
    }
    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let n = self.discrete();
        match self.ticks[tick.index] {
            // The condition comes first, so that what happens at the start is known to happen.
            None => {
                let runs = is_true(ctx, self.condition);
                (next[n + STATE], next[n + IS_NEW]) = (number(runs), number(!runs));
            }
            Some(tick) if self.runs(next, ctx) => {
                self.block.update(tick, &self.inner(ctx), &mut next[..n]);
            }
            Some(_) => next[n + PASSED_OVER] = ctx.time,
        }
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let (own, condition) = values.split_at_mut(self.witnesses);
        let n = self.discrete();
        match self.when {
            When::Enabled(..) => condition[0] = truth_due(ctx.discrete[n + STATE], ctx, self.condition),
            When::Triggered(_) => condition[0] = count_due(ctx.discrete[n + STATE], ctx, self.condition),
            When::Reset(_) => condition[0] = level::above(ctx, self.condition),
        }
        if self.runs(ctx.discrete, ctx) {
            self.block.witnesses(&self.inner(ctx), own);
        } else {
            own.fill(-1.0);
        }
    }
    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        let n = self.discrete();
        if witness.index < self.witnesses {
            if self.runs(ctx.discrete, ctx) {
                let discrete = &mut state.discrete[..n];
                self.block.reset(
                    witness,
                    &self.inner(ctx),
                    &mut Reset { continuous: &mut *state.continuous, discrete },
                );
            }
            return;
        }
        match self.when {
            When::Enabled(states, _) if !self.runs(ctx.discrete, ctx) => self.enable(ctx, state, states),
            When::Enabled(..) => self.disable(ctx, state),
            When::Triggered(_) => {
                self.update_at(&self.inner(ctx), &mut state.discrete[..n], |tick| !tick.is_once());
                state.discrete[n + STATE] = ctx.get(self.condition)[0];
            }
            When::Reset(_) => self.begin_anew(ctx, state),
        }
    }
    fn policy(&self) -> DerivativePolicy {
        self.block.policy()
    }
    fn type_name(&self) -> &'static str {
        self.block.type_name()
    }
    fn as_plant(&self) -> Option<&dyn ConvexPlant> {
        None
    }
    fn markers(&self) -> Vec<Marker> {
        self.block.markers()
    }
    fn has_kinks(&self) -> bool {
        self.block.has_kinks()
    }
    fn kinks(&self, ctx: &Context<f64>, see: &mut dyn FnMut(f64)) {
        self.block.kinks(&self.inner(ctx), see);
    }
    fn time_variation(&self, times: (f64, f64)) -> TimeVariation {
        self.block.time_variation(times)
    }
    fn next_level(&self, input: usize, element: usize, way: (f64, f64)) -> Option<f64> {
        (input != self.condition.index).then(|| self.block.next_level(input, element, way)).flatten()
    }
    fn mode(&self, discrete: &[f64]) -> Option<&str> {
        self.block.mode(&discrete[..self.discrete()])
    }
}
