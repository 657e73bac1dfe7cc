//! Sampled blocks in linear models: the discrete state stands as continuous state.
//!
//! The rate of a number that a block holds is the change that its periodic event would make now, `next - held`. So the
//! derivatives of all rates together have the derivatives of the updates, and the rates vanish where an update changes
//! nothing. Updates know plain numbers only, and outputs know the discrete state as plain numbers: their partial
//! derivatives come from differences within the block, exact to rounding where a block is linear.

use crate::context::{Context, Outputs};
use crate::convex::ConvexPlant;
use crate::port::{Ports, Tick, Witness};
use crate::random::is_seed;
use crate::scalar::{JET_WIDTH, Jet, Scalar};
use crate::system::{DerivativePolicy, ErasedSystem, Reset};
use std::ops::Range;
use std::sync::Arc;

/// Step of a difference in which a linear block shows itself, relative to the number that moves. A power of two rounds
/// nothing off.
const WIDE_STEP: f64 = 0.125;
/// Step of differences of other blocks.
const NARROW_STEP: f64 = 1.0 / 1024.0;
/// Difference of two quotients, relative to their size, below which a block counts as linear.
const LINEAR: f64 = 1e-12;
/// Difference above which there is a kink nearby, which a shorter step may avoid.
const KINK: f64 = 1e-3;

/// A block with one periodic event, whose discrete state stands behind its continuous state as further state.
pub struct Held {
    block: Arc<dyn ErasedSystem>,
    tick: Tick,
    /// Numbers of continuous state of the block itself.
    own: usize,
    /// For each number of discrete state, true if it is part of the seed of random numbers, which nothing moves.
    seeds: Vec<bool>,
    ports: Ports,
}

impl Held {
    /// `block` with the discrete state that its periodic event `tick` updates as state.
    pub fn new(block: Arc<dyn ErasedSystem>, tick: Tick) -> Self {
        let declared = block.ports();
        let seeds = declared.discrete().iter().flat_map(|run| vec![is_seed(run); run.initial.len()]).collect();
        let (own, ports) = (declared.continuous_width(), declared.with_held_as_continuous());
        Held { tick, own, seeds, ports, block }
    }

    /// The discrete state that follows the values of a context.
    fn next(&self, at: &Point) -> Vec<f64> {
        let mut next = at.discrete().to_vec();
        self.block.update(self.tick, &at.context(), &mut next);
        next
    }

    fn outputs_at(&self, at: &Point) -> Vec<f64> {
        let mut outputs = vec![0.0; self.ports.outputs_width()];
        let wanted = vec![true; self.ports.outputs().len()];
        self.block.outputs_f64(&at.context(), &mut Outputs::new(self.block.ports(), &mut outputs, &wanted));
        outputs
    }

    fn rates_at(&self, at: &Point) -> Vec<f64> {
        let mut rates = vec![0.0; self.own];
        self.block.derivatives_f64(&at.context(), &mut rates);
        rates
    }

    /// Adds the effect of some of the numbers that a block reads on the `results` of `of`.
    fn add_effects(
        &self,
        point: &Point,
        moved: impl Iterator<Item = usize>,
        of: impl Fn(&Point) -> Vec<f64>,
        results: &mut [Jet],
    ) {
        let moves = |&k: &usize| point.jets[k].partials().iter().any(|slope| *slope != 0.0);
        for k in moved.filter(moves).filter(|k| !point.is_seed(*k, &self.seeds)) {
            let slopes = point.jets[k].partials();
            for (result, partial) in results.iter_mut().zip(point.partials_of(k, &of)) {
                if partial != 0.0 {
                    let effect: [f64; JET_WIDTH] = std::array::from_fn(|d| partial * slopes[d]);
                    *result += Jet::with_partials(0.0, &effect);
                }
            }
        }
    }

    /// The context of the block itself, with the held numbers as plain values.
    fn own_context<'a, S: Scalar>(&self, ctx: &Context<'a, S>, held: &'a [f64]) -> Context<'a, S> {
        ctx.with_continuous(&ctx.continuous[..self.own]).with_discrete(held)
    }
}

/// The numbers that a block reads: time, continuous state, discrete state, inputs.
struct Point {
    jets: Vec<Jet>,
    values: Vec<f64>,
    own: usize,
    held: usize,
    inputs: Vec<Option<Range<usize>>>,
}

impl Point {
    fn new(held: &Held, ctx: &Context<Jet>) -> Self {
        let mut jets = vec![ctx.time];
        jets.extend_from_slice(ctx.continuous);
        let inputs = (0..held.ports.inputs().len()).map(|index| {
            ctx.input(index).map(|values| {
                jets.extend_from_slice(values);
                jets.len() - values.len()..jets.len()
            })
        });
        let inputs = inputs.collect();
        let values = jets.iter().map(|jet| jet.value()).collect();
        Point { jets, values, own: held.own, held: held.seeds.len(), inputs }
    }

    fn first_held(&self) -> usize {
        1 + self.own
    }

    fn discrete(&self) -> &[f64] {
        &self.values[self.first_held()..self.first_held() + self.held]
    }

    fn is_seed(&self, k: usize, seeds: &[bool]) -> bool {
        k.checked_sub(self.first_held()).and_then(|k| seeds.get(k)).copied().unwrap_or(false)
    }

    fn context(&self) -> Context<'_, f64> {
        Context::new(self.values[0], &self.values[1..1 + self.own], &self.values, &self.inputs)
            .with_discrete(self.discrete())
    }

    /// Partial derivatives of `of` with respect to number `k`.
    fn partials_of(&self, k: usize, of: &impl Fn(&Point) -> Vec<f64>) -> Vec<f64> {
        let x = self.values[k];
        let mut moved = Point { jets: Vec::new(), values: self.values.clone(), inputs: self.inputs.clone(), ..*self };
        let mut at = |to: f64| {
            moved.values[k] = to;
            of(&moved)
        };
        let size = x.abs().max(1.0).log2().ceil().exp2();
        let center = at(x);
        let mut quotients = |step: f64| {
            let (above, below) = (x + step * size, x - step * size);
            let (plus, minus) = (at(above), at(below));
            let bends: Vec<f64> = plus.iter().zip(&minus).zip(&center).map(|((p, m), c)| p - 2.0 * c + m).collect();
            let slopes: Vec<f64> = plus.iter().zip(&minus).map(|(p, m)| (p - m) / (above - below)).collect();
            let sizes: Vec<f64> = plus.iter().zip(&minus).map(|(p, m)| p.abs().max(m.abs())).collect();
            (slopes, bends, sizes)
        };
        let (wide, bends, sizes) = quotients(WIDE_STEP);
        let (half, _, _) = quotients(0.5 * WIDE_STEP);
        let is_linear = (0..wide.len()).all(|i| {
            let rounding = LINEAR * sizes[i].max(f64::MIN_POSITIVE);
            bends[i].abs() <= rounding && (wide[i] - half[i]).abs() * WIDE_STEP * size <= rounding
        });
        if is_linear {
            return wide;
        }
        let (narrow, _, _) = quotients(NARROW_STEP);
        let (half, _, _) = quotients(0.5 * NARROW_STEP);
        let (least, _, _) = quotients(f64::EPSILON.cbrt());
        narrow
            .iter()
            .zip(&half)
            .zip(&least)
            .map(|((narrow, half), least)| {
                let kinks = (narrow - half).abs() > KINK * half.abs() || (half - least).abs() > KINK * half.abs();
                // Richardson: the error of a central difference falls with the square of its step.
                if kinks { *least } else { (4.0 * half - narrow) / 3.0 }
            })
            .collect()
    }
}

// Messages of the compiler do not list it among the types that are blocks.
#[diagnostic::do_not_recommend]
impl ErasedSystem for Held {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs_f64(&self, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        self.block.outputs_f64(&self.own_context(ctx, &ctx.continuous[self.own..]), out);
    }
    fn outputs_jet(&self, ctx: &Context<Jet>, out: &mut Outputs<Jet>) {
        let held: Vec<f64> = ctx.continuous[self.own..].iter().map(|jet| jet.value()).collect();
        self.block.outputs_jet(&self.own_context(ctx, &held), out);
        let point = Point::new(self, ctx);
        let first = point.first_held();
        let mut effects = vec![Jet::constant(0.0); self.ports.outputs_width()];
        self.add_effects(&point, first..first + point.held, |at| self.outputs_at(at), &mut effects);
        for (index, port) in self.ports.outputs().iter().enumerate() {
            let entries = out.slice_at(index).iter_mut();
            entries.zip(&effects[port.range.clone()]).for_each(|(entry, effect)| *entry += *effect);
        }
    }
    fn derivatives_f64(&self, ctx: &Context<f64>, derivatives: &mut [f64]) {
        let (own, changes) = derivatives.split_at_mut(self.own);
        let held = &ctx.continuous[self.own..];
        let context = self.own_context(ctx, held);
        self.block.derivatives_f64(&context, own);
        changes.copy_from_slice(held);
        self.block.update(self.tick, &context, changes);
        changes.iter_mut().zip(held).for_each(|(next, held)| *next -= held);
    }
    fn derivatives_jet(&self, ctx: &Context<Jet>, derivatives: &mut [Jet]) {
        let (own, changes) = derivatives.split_at_mut(self.own);
        let held: Vec<f64> = ctx.continuous[self.own..].iter().map(|jet| jet.value()).collect();
        self.block.derivatives_jet(&self.own_context(ctx, &held), own);
        let point = Point::new(self, ctx);
        let first = point.first_held();
        self.add_effects(&point, first..first + point.held, |at| self.rates_at(at), own);
        let next = self.next(&point);
        changes.iter_mut().zip(&next).for_each(|(change, next)| *change = Jet::constant(*next));
        self.add_effects(&point, 1..point.jets.len(), |at| self.next(at), changes);
        changes.iter_mut().zip(&ctx.continuous[self.own..]).for_each(|(change, held)| *change -= *held);
    }
    fn update(&self, _tick: Tick, _ctx: &Context<f64>, _next: &mut [f64]) {}
    fn witnesses(&self, _ctx: &Context<f64>, _values: &mut [f64]) {}
    fn reset(&self, _witness: Witness, _ctx: &Context<f64>, _state: &mut Reset) {}
    fn policy(&self) -> DerivativePolicy {
        DerivativePolicy::Exact
    }
    fn type_name(&self) -> &'static str {
        self.block.type_name()
    }
    fn as_plant(&self) -> Option<&dyn ConvexPlant> {
        None
    }
    fn has_kinks(&self) -> bool {
        self.block.has_kinks()
    }
}
