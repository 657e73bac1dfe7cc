//! Blocks that run on plain numbers only, and blocks with another source of derivatives.
//!
//! A learned policy, a table or foreign code cannot run on dual numbers. Its author implements [`RealSystem`], states
//! the source of derivatives, and wraps it as [`Real`]. [`WithDerivatives`] gives an exact block another policy. The
//! chain rule is the same for both: the outputs' slopes are the Jacobian times the slopes of time, state and inputs.

use crate::context::{Context, Outputs};
use crate::convex::ConvexPlant;
use crate::port::{Ports, Tick, Witness};
use crate::scalar::{JET_WIDTH, Jet, Scalar};
use crate::scene::Marker;
use crate::system::{DerivativePolicy, ErasedSystem, Reset};
use crate::variation::TimeVariation;
use std::ops::Range;
use std::sync::Arc;

/// A block that computes on plain numbers. Wrapped as [`Real`], it can be used like any other block.
pub trait RealSystem: Send + Sync + 'static {
    /// The declaration made in the constructor.
    fn ports(&self) -> &Ports;
    /// Computes the outputs from time, state and inputs.
    fn outputs(&self, ctx: &Context<f64>, out: &mut Outputs<f64>);
    /// Source of the derivatives; not [`DerivativePolicy::Exact`].
    fn policy(&self) -> DerivativePolicy {
        DerivativePolicy::Differences
    }

    // ---- Needed only by blocks with state or special abilities. ----

    /// Computes the time derivative of the continuous state.
    fn derivatives(&self, _ctx: &Context<f64>, _derivatives: &mut [f64]) {}
    /// Computes the Jacobian, with [`DerivativePolicy::Given`]: the partial derivatives of all outputs, then of all
    /// state derivatives (rows, in order of declaration), with respect to time, continuous state and inputs (columns,
    /// in this order; inputs that are not connected count as well).
    fn jacobian(&self, _ctx: &Context<f64>, _jacobian: &mut Jacobian) {}
    /// See [`LeafSystem::update`](crate::LeafSystem::update).
    fn update(&self, _tick: Tick, _ctx: &Context<f64>, _next: &mut [f64]) {}
    /// See [`LeafSystem::witnesses`](crate::LeafSystem::witnesses).
    fn witnesses(&self, _ctx: &Context<f64>, _values: &mut [f64]) {}
    /// See [`LeafSystem::reset`](crate::LeafSystem::reset).
    fn reset(&self, _witness: Witness, _ctx: &Context<f64>, _state: &mut Reset) {}
    /// See [`LeafSystem::time_variation`](crate::LeafSystem::time_variation). By default unknown.
    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        TimeVariation::Unknown
    }
}

/// Partial derivatives of a block. Rows: outputs, then state derivatives; columns: time, continuous state, inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jacobian {
    rows: usize,
    values: Vec<f64>,
}

impl Jacobian {
    fn zeros(rows: usize, columns: usize) -> Self {
        Jacobian { rows, values: vec![0.0; rows * columns] }
    }

    /// Sets one entry.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[column * self.rows + row] = value;
    }

    /// The column of one variable.
    fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.rows..(column + 1) * self.rows]
    }
}

/// A [`RealSystem`] as a block.
pub struct Real<T: RealSystem>(pub T);

impl<T: RealSystem> std::ops::Deref for Real<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: RealSystem> ErasedSystem for Real<T> {
    fn ports(&self) -> &Ports {
        self.0.ports()
    }
    fn outputs_f64(&self, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        self.0.outputs(ctx, out);
    }
    fn outputs_jet(&self, ctx: &Context<Jet>, out: &mut Outputs<Jet>) {
        let jets = Chain::new(self, ctx).respond(self, Part::Outputs, self.0.policy(), |c, j| self.0.jacobian(c, j));
        write_outputs(self.0.ports(), &jets, out);
    }
    fn derivatives_f64(&self, ctx: &Context<f64>, derivatives: &mut [f64]) {
        self.0.derivatives(ctx, derivatives);
    }
    fn derivatives_jet(&self, ctx: &Context<Jet>, derivatives: &mut [Jet]) {
        let jets =
            Chain::new(self, ctx).respond(self, Part::Derivatives, self.0.policy(), |c, j| self.0.jacobian(c, j));
        derivatives.copy_from_slice(&jets);
    }
    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        self.0.update(tick, ctx, next);
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        self.0.witnesses(ctx, values);
    }
    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        self.0.reset(witness, ctx, state);
    }
    fn policy(&self) -> DerivativePolicy {
        self.0.policy()
    }
    fn type_name(&self) -> &'static str {
        std::any::type_name::<T>()
    }
    fn time_variation(&self, times: (f64, f64)) -> TimeVariation {
        self.0.time_variation(times)
    }
    fn as_plant(&self) -> Option<&dyn ConvexPlant> {
        None
    }
}

/// A block with the derivative policy `Differences` or `Explicit` in place of its own (`Exact` and `Given` change
/// nothing).
pub struct WithDerivatives {
    block: Arc<dyn ErasedSystem>,
    policy: DerivativePolicy,
}

impl WithDerivatives {
    /// `block` with derivatives by `policy`.
    pub fn new(block: Arc<dyn ErasedSystem>, policy: DerivativePolicy) -> Self {
        WithDerivatives { block, policy }
    }

    fn keeps_own(&self) -> bool {
        matches!(self.policy, DerivativePolicy::Exact | DerivativePolicy::Given)
    }
}

impl ErasedSystem for WithDerivatives {
    fn ports(&self) -> &Ports {
        self.block.ports()
    }
    fn outputs_f64(&self, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        self.block.outputs_f64(ctx, out);
    }
    fn outputs_jet(&self, ctx: &Context<Jet>, out: &mut Outputs<Jet>) {
        if self.keeps_own() {
            return self.block.outputs_jet(ctx, out);
        }
        let jets = Chain::new(self, ctx).respond(self, Part::Outputs, self.policy, |_, _| {});
        write_outputs(self.block.ports(), &jets, out);
    }
    fn derivatives_f64(&self, ctx: &Context<f64>, derivatives: &mut [f64]) {
        self.block.derivatives_f64(ctx, derivatives);
    }
    fn derivatives_jet(&self, ctx: &Context<Jet>, derivatives: &mut [Jet]) {
        if self.keeps_own() {
            return self.block.derivatives_jet(ctx, derivatives);
        }
        let jets = Chain::new(self, ctx).respond(self, Part::Derivatives, self.policy, |_, _| {});
        derivatives.copy_from_slice(&jets);
    }
    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        self.block.update(tick, ctx, next);
    }
    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        self.block.witnesses(ctx, values);
    }
    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        self.block.reset(witness, ctx, state);
    }
    fn policy(&self) -> DerivativePolicy {
        if self.keeps_own() { self.block.policy() } else { self.policy }
    }
    fn type_name(&self) -> &'static str {
        self.block.type_name()
    }
    fn as_plant(&self) -> Option<&dyn ConvexPlant> {
        self.block.as_plant()
    }
    fn markers(&self) -> Vec<Marker> {
        self.block.markers()
    }
    fn has_kinks(&self) -> bool {
        self.block.has_kinks()
    }
    fn kinks(&self, ctx: &Context<f64>, see: &mut dyn FnMut(f64)) {
        self.block.kinks(ctx, see);
    }
    fn time_variation(&self, times: (f64, f64)) -> TimeVariation {
        self.block.time_variation(times)
    }
    fn next_level(&self, input: usize, element: usize, way: (f64, f64)) -> Option<f64> {
        self.block.next_level(input, element, way)
    }
    fn pure_delay(&self) -> Option<f64> {
        self.block.pure_delay()
    }
    fn watches_jumps(&self) -> bool {
        self.block.watches_jumps()
    }
    fn jumped(&self, before: &Context<f64>, after: &Context<f64>, next: &mut [f64]) {
        self.block.jumped(before, after, next);
    }
    fn mode(&self, discrete: &[f64]) -> Option<&str> {
        self.block.mode(discrete)
    }
}

fn write_outputs(ports: &Ports, jets: &[Jet], out: &mut Outputs<Jet>) {
    for (index, port) in ports.outputs().iter().enumerate() {
        out.set_index(index, &jets[port.range.clone()]);
    }
}

/// The quantities of a block to evaluate.
#[derive(Clone, Copy)]
enum Part {
    Outputs,
    Derivatives,
}

/// All variables that a block reads (time, continuous state, inputs), as plain values and as jets.
struct Chain {
    jets: Vec<Jet>,
    values: Vec<f64>,
    states: usize,
    inputs: Vec<Option<Range<usize>>>,
    discrete: Vec<f64>,
}

impl Chain {
    fn new(system: &dyn ErasedSystem, ctx: &Context<Jet>) -> Self {
        let mut jets = vec![ctx.time];
        jets.extend_from_slice(ctx.continuous);
        let states = ctx.continuous.len();
        let mut inputs = Vec::new();
        for (index, port) in system.ports().inputs().iter().enumerate() {
            let at = jets.len();
            match ctx.input(index) {
                Some(values) => {
                    jets.extend_from_slice(values);
                    inputs.push(Some(at..at + port.width));
                }
                None => {
                    jets.extend(std::iter::repeat_n(Jet::constant(0.0), port.width));
                    inputs.push(None);
                }
            }
        }
        let values = jets.iter().map(|j| j.value()).collect();
        Chain { jets, values, states, inputs, discrete: ctx.discrete.to_vec() }
    }

    fn context<'a>(&'a self, values: &'a [f64]) -> Context<'a, f64> {
        Context::new(values[0], &values[1..1 + self.states], values, &self.inputs).with_discrete(&self.discrete)
    }

    /// All outputs, or all state derivatives, at plain values.
    fn evaluate(&self, system: &dyn ErasedSystem, part: Part, values: &[f64]) -> Vec<f64> {
        let (ports, ctx) = (system.ports(), self.context(values));
        match part {
            Part::Outputs => {
                let mut outputs = vec![0.0; ports.outputs_width()];
                let wanted = vec![true; ports.outputs().len()];
                system.outputs_f64(&ctx, &mut Outputs::new(ports, &mut outputs, &wanted));
                outputs
            }
            Part::Derivatives => {
                let mut derivatives = vec![0.0; ports.continuous_width()];
                system.derivatives_f64(&ctx, &mut derivatives);
                derivatives
            }
        }
    }

    /// All outputs, or all state derivatives, with derivatives by `policy`.
    fn respond(
        &self,
        system: &dyn ErasedSystem,
        part: Part,
        policy: DerivativePolicy,
        given: impl FnOnce(&Context<f64>, &mut Jacobian),
    ) -> Vec<Jet> {
        let center = self.evaluate(system, part, &self.values);
        let mut result: Vec<Jet> = center.iter().map(|&x| Jet::constant(x)).collect();
        let moves = |jet: &Jet| jet.partials().iter().any(|&slope| slope != 0.0);
        if policy == DerivativePolicy::Explicit || !self.jets.iter().any(moves) {
            return result;
        }
        let outputs = system.ports().outputs_width();
        let rows = match part {
            Part::Outputs => 0..outputs,
            Part::Derivatives => outputs..outputs + center.len(),
        };
        let mut jacobian = Jacobian::default();
        if policy == DerivativePolicy::Given {
            jacobian = Jacobian::zeros(outputs + system.ports().continuous_width(), self.jets.len());
            given(&self.context(&self.values), &mut jacobian);
        }
        let mut moved = self.values.clone();
        for (k, jet) in self.jets.iter().enumerate().filter(|(_, jet)| moves(jet)) {
            let column = match policy {
                DerivativePolicy::Given => jacobian.column(k)[rows.clone()].to_vec(),
                _ => self.difference(system, part, &mut moved, k),
            };
            for (entry, result) in column.iter().zip(&mut result) {
                // A zero entry adds nothing, even if the slope is not finite.
                if *entry != 0.0 {
                    let partials = jet.partials();
                    *result +=
                        Jet::with_partials(0.0, &std::array::from_fn::<_, JET_WIDTH, _>(|d| entry * partials[d]));
                }
            }
        }
        result
    }

    /// Central difference with respect to variable `k`; `moved` holds the values and is restored.
    fn difference(&self, system: &dyn ErasedSystem, part: Part, moved: &mut [f64], k: usize) -> Vec<f64> {
        let x = self.values[k];
        // The cube root of machine precision balances truncation and rounding of a central difference.
        let step = f64::EPSILON.cbrt() * x.abs().max(1.0);
        let (above, below) = (x + step, x - step);
        moved[k] = above;
        let plus = self.evaluate(system, part, moved);
        moved[k] = below;
        let minus = self.evaluate(system, part, moved);
        moved[k] = x;
        plus.iter().zip(&minus).map(|(p, m)| (p - m) / (above - below)).collect()
    }
}
