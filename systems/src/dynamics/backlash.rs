//! Play between two parts.
//!
//! The driven part stays while the driving one moves within the gap, and is carried by it at either side. The side is a
//! mode of its own (discrete state: -1 lower, 0 free, 1 upper), so that no step of an integrator meets a jump of the
//! rate:
//!
//! ```text
//! free    y stays             until |u - y| passes half of the gap (witness `engage`)
//! upper   y = u - gap/2       until u turns downwards (witness `release`): then y stays
//! lower   y = u + gap/2       until u turns upwards
//! ```
//!
//! Where an event makes u jump, y stays if it may, and otherwise is carried to the nearer side.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Crossing, Sampling, Tick, Witness};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar};

/// A part that is driven through a gap, as behind a gear with backlash, element by element: the play operator.
///
/// The rate of the input decides where it turns, so it is an input of its own; the output has its rate as well. Both
/// are exact: the sides are taken and left at events.
pub struct Backlash {
    /// u, width n.
    pub input: In<Dyn>,
    /// u̇, width n \[1/s\].
    pub rate: In<Dyn>,
    /// y, width n.
    pub output: Out<Dyn>,
    /// ẏ, width n \[1/s\]: u̇ at a side, otherwise zero.
    pub output_rate: Out<Dyn>,
    half: Vec<f64>,
    ports: Ports,
}

/// The smallest jump of the input, relative to its size and the gap: a smooth input changes by less between the two
/// instants at which it is read about an event.
const SMALLEST_JUMP: f64 = 1e-6;

impl Backlash {
    /// Gaps of `width` elements; each gap is the whole play, one for all or one each, and so is the output `initial`,
    /// which at time zero is carried to within half of the gap from the input.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a gap that is not positive.
    pub fn new(
        width: usize,
        gap: impl Into<PerChannel>,
        initial: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let (gap, initial) = (gap.into().expand("gap", width)?, initial.into().expand("initial", width)?);
        parameter::positive("gap", &gap)?;
        let mut ports = Ports::new();
        let [input, rate] = ["input", "rate"].map(|name| ports.input_of_width(name, width));
        let [output, output_rate] = ["output", "rate"].map(|name| ports.output_of_width(name, width));
        ports.feedthrough(output, input);
        ports.feedthrough(output_rate, rate);
        ports.discrete_state("side", vec![0.0; width]);
        ports.discrete_state("held", initial);
        ports.periodic(Sampling::once(0.0));
        for i in 0..width {
            ports.witness(format!("engage[{i}]"), Crossing::Rising);
            ports.witness(format!("release[{i}]"), Crossing::Rising);
        }
        ports.units_alike([input], output);
        ports.units_alike([rate], output_rate);
        Ok(Backlash { input, rate, output, output_rate, half: gap.iter().map(|gap| 0.5 * gap).collect(), ports })
    }

    /// y of element `i` for the input u.
    fn position<S: Scalar>(&self, i: usize, u: S, discrete: &[f64]) -> S {
        let (side, held) = (discrete[i], discrete[self.half.len() + i]);
        if side == 0.0 { S::constant(held) } else { u - S::constant(side * self.half[i]) }
    }

    /// Takes element `i` from the output y to where the input u leaves it.
    fn place(&self, i: usize, y: f64, u: f64, discrete: &mut [f64]) {
        let excess = u - y;
        discrete[i] = if excess.abs() > self.half[i] { excess.signum() } else { 0.0 };
        discrete[self.half.len() + i] = y;
    }
}

impl LeafSystem for Backlash {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn watches_jumps(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        if out.wanted(self.output) {
            let u = ctx.get(self.input);
            for (i, y) in out.slice(self.output).iter_mut().enumerate() {
                *y = self.position(i, u[i], ctx.discrete);
            }
        }
        if out.wanted(self.output_rate) {
            let rates = ctx.get(self.rate);
            for (i, rate) in out.slice(self.output_rate).iter_mut().enumerate() {
                *rate = if ctx.discrete[i] == 0.0 { S::zero() } else { rates[i] };
            }
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        for (i, &u) in ctx.get(self.input).iter().enumerate() {
            let held = next[self.half.len() + i];
            self.place(i, held, u, next);
        }
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let (u, rates) = (ctx.get(self.input), ctx.get(self.rate));
        for (i, pair) in values.chunks_exact_mut(2).enumerate() {
            let side = ctx.discrete[i];
            let excess = u[i] - ctx.discrete[self.half.len() + i];
            // A crossing that would not change the side is no event.
            pair[0] = if side == 0.0 { excess.abs() - self.half[i] } else { -1.0 };
            pair[1] = if side == 0.0 { -1.0 } else { -side * rates[i] };
        }
    }

    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        let i = witness.index / 2;
        let u = ctx.get(self.input)[i];
        if witness.index.is_multiple_of(2) {
            let held = state.discrete[self.half.len() + i];
            self.place(i, held, u, state.discrete);
        } else {
            state.discrete[self.half.len() + i] = self.position(i, u, state.discrete);
            state.discrete[i] = 0.0;
        }
    }

    fn jumped(&self, before: &Context<f64>, after: &Context<f64>, next: &mut [f64]) {
        let (old, new) = (before.get(self.input), after.get(self.input));
        for i in 0..self.half.len() {
            let size = old[i].abs().max(new[i].abs()).max(self.half[i]);
            if (new[i] - old[i]).abs() > SMALLEST_JUMP * size {
                self.place(i, self.position(i, old[i], before.discrete), new[i], next);
            }
        }
    }
}
