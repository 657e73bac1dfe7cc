//! A signal delayed by a time that is a signal itself.
//!
//! The input is sampled at every period and kept for the longest delay; between samples it is interpolated linearly, as
//! in [`TransportDelay`](super::TransportDelay): exact if the input is linear between samples, otherwise within
//! T²/8 max |ü|. With `s = t - delay`, the instant of the input that arrives, the output is `y(t) = u(s)`.
//!
//! Where an event makes the input jump, both its values are kept with that instant. Its arrival, where s passes the
//! instant, is an event; so is its return, where a delay that grows faster than the time takes s back over it. The
//! number of jumps that s has not passed is discrete state and states the side, so that every step sees one branch. The
//! first sample counts as a jump from the initial value.
//!
//! The sample after s must have been taken by the time t, so the delay counts as at least one period.

use super::kept_jumps::{MAX_SAMPLES, is_jump, jump};
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Crossing, Sampling, Tick, Witness, simultaneous};
use kinegraph_core::{Context, Dyn, Fixed, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar, TimeVariation};

/// Number of jumps in transit that a delay keeps; a further one becomes a ramp of at most a period.
const JUMPS: usize = 32;
/// The witness functions.
const ARRIVAL: usize = 0;
const RETURN: usize = 1;
/// Indices of the discrete state: the number of the newest sample, the number of jumps that are kept, the number of
/// them that have not arrived; then each jump with its time, the values before it and those after it, the latest first.
const NEWEST: usize = 0;
const KEPT: usize = 1;
const COMING: usize = 2;
const FIRST_JUMP: usize = 3;

/// `output(t) = input(t - delay(t))`, from samples of the input every `period`, with linear interpolation; exact for
/// inputs that are linear between samples, and at jumps of the input by events.
///
/// The delay counts within its bounds: one period, and the longest one.
pub struct VariableDelay {
    /// Width n.
    pub input: In<Dyn>,
    /// The delay \[s\].
    pub delay: In<Fixed<1>>,
    /// Width n. It depends on the delay and on earlier inputs.
    pub output: Out<Dyn>,
    width: usize,
    longest: f64,
    period: f64,
    /// Number of samples kept.
    samples: usize,
    initial: Vec<f64>,
    ports: Ports,
}

impl VariableDelay {
    /// A delay of `width` channels by at most `longest` \[s\], sampled every `period` \[s\]; `initial` is the input
    /// before time zero.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a period that is not positive or longer than the
    /// longest delay, more than a million periods in it.
    pub fn new(
        width: usize,
        longest: f64,
        period: f64,
        initial: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let initial = initial.into().expand("initial", width)?;
        let sampling = parameter::sampling(Sampling::every(period))?;
        parameter::finite("longest", &[longest])?;
        let periods = longest / period;
        parameter::within("longest", &[longest], "at least one period", |_| periods >= 1.0)?;
        parameter::within("longest", &[longest], "at most a million periods", |_| periods <= MAX_SAMPLES)?;
        // The oldest sample that is needed is that before s, and the newest one is up to a period old.
        let samples = periods.ceil() as usize + 2;
        let numbers = parameter::held("longest", samples, width)?;
        let mut ports = Ports::new();
        let (input, delay) = (ports.input_of_width("input", width), ports.input("delay"));
        let output = ports.output_of_width("output", width);
        ports.feedthrough(output, delay);
        ports.periodic(sampling);
        ports.discrete_state("newest", vec![-1.0]);
        ports.discrete_state("jumps", vec![0.0; 2 + JUMPS * (1 + 2 * width)]);
        ports.discrete_state("samples", initial.iter().copied().cycle().take(numbers).collect());
        ports.witness("arrival", Crossing::Rising);
        ports.witness("return", Crossing::Rising);
        ports.units_alike([input], output);
        ports.set_input_units(delay, vec!["s"]);
        Ok(VariableDelay { input, delay, output, width, longest, period, samples, initial, ports })
    }

    /// The instant of the input that arrives \[s\].
    fn instant<S: Scalar>(&self, ctx: &Context<S>) -> S {
        let [delay] = ctx.get(self.delay);
        ctx.time - delay.clamp(S::constant(self.period), S::constant(self.longest))
    }

    /// Jump `k`, counted from the latest: its time, then the values before it and those after it.
    fn jump<'a>(&self, discrete: &'a [f64], k: usize) -> (f64, &'a [f64], &'a [f64]) {
        jump(&discrete[FIRST_JUMP..], self.width, k)
    }

    /// Keeps a jump at `time` \[s\], if there is room.
    fn keep(&self, time: f64, [old, new]: [&[f64]; 2], discrete: &mut [f64]) {
        let (kept, coming) = (discrete[KEPT] as usize, discrete[COMING] as usize);
        if coming == JUMPS {
            return;
        }
        let (size, kept) = (1 + 2 * self.width, kept.min(JUMPS - 1));
        discrete.copy_within(FIRST_JUMP..FIRST_JUMP + kept * size, FIRST_JUMP + size);
        discrete[FIRST_JUMP] = time;
        discrete[FIRST_JUMP + 1..][..self.width].copy_from_slice(old);
        discrete[FIRST_JUMP + 1 + self.width..][..self.width].copy_from_slice(new);
        (discrete[KEPT], discrete[COMING]) = ((kept + 1) as f64, (coming + 1) as f64);
    }

    /// Index of the samples in the discrete state.
    fn first_sample(&self) -> usize {
        FIRST_JUMP + JUMPS * (1 + 2 * self.width)
    }

    /// The ends of the interval about the instant `s` \[s\] on which the input counts as linear, the later one first.
    fn around<'a>(&'a self, discrete: &'a [f64], s: f64) -> [(f64, &'a [f64]); 2] {
        let (newest, coming) = (discrete[NEWEST], discrete[COMING] as usize);
        let age = (newest - s / self.period).floor().clamp(0.0, (self.samples - 2) as f64);
        let samples = &discrete[self.first_sample()..][age as usize * self.width..];
        let after = ((newest - age) * self.period, &samples[..self.width]);
        let before = (after.0 - self.period, &samples[self.width..][..self.width]);
        let [mut after, mut before] = [after, before];
        if coming > 0 {
            let (time, old, _) = self.jump(discrete, coming - 1);
            if time <= after.0 + simultaneous(time) {
                after = (time, old);
            }
        }
        if coming < discrete[KEPT] as usize {
            let (time, _, new) = self.jump(discrete, coming);
            if time >= before.0 - simultaneous(time) {
                before = (time, new);
            }
        }
        [after, before]
    }
}

impl LeafSystem for VariableDelay {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        // Between samples it is linear.
        TimeVariation::Period(4.0 * self.period)
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn watches_jumps(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let s = self.instant(ctx);
        let y = out.slice(self.output);
        if ctx.discrete[NEWEST] < 0.0 {
            y.iter_mut().zip(&self.initial).for_each(|(y, &u)| *y = S::constant(u));
            return;
        }
        let [after, before] = self.around(ctx.discrete, s.value());
        let length = after.0 - before.0;
        let fraction =
            if length > simultaneous(after.0) { (S::constant(after.0) - s) / S::constant(length) } else { S::zero() };
        for (y, (&after, &before)) in y.iter_mut().zip(after.1.iter().zip(before.1)) {
            *y = S::constant(after) + fraction * S::constant(before - after);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        if next[NEWEST] < 0.0 {
            self.keep(ctx.time, [&self.initial, ctx.get(self.input)], next);
        }
        // Newest first: the others move up by one, the oldest is dropped.
        next[NEWEST] = (ctx.time / self.period).round();
        let samples = &mut next[self.first_sample()..];
        samples.copy_within(..(self.samples - 1) * self.width, self.width);
        samples[..self.width].copy_from_slice(ctx.get(self.input));
        // Jumps that no later output reads are dropped, too.
        let oldest = ctx.time - self.samples as f64 * self.period;
        while next[KEPT] > next[COMING] && self.jump(next, next[KEPT] as usize - 1).0 < oldest {
            next[KEPT] -= 1.0;
        }
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let s = self.instant(ctx);
        let (kept, coming) = (ctx.discrete[KEPT] as usize, ctx.discrete[COMING] as usize);
        values[ARRIVAL] = if coming > 0 { s - self.jump(ctx.discrete, coming - 1).0 } else { -1.0 };
        values[RETURN] = if coming < kept { self.jump(ctx.discrete, coming).0 - s } else { -1.0 };
    }

    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        let s = self.instant(ctx);
        let coming = state.discrete[COMING] as usize;
        // Several jumps of one time pass together.
        if witness.index == ARRIVAL {
            let passed = (0..coming).rev().take_while(|&k| self.jump(state.discrete, k).0 < s).count();
            state.discrete[COMING] -= passed as f64;
        } else {
            let kept = state.discrete[KEPT] as usize;
            let back = (coming..kept).take_while(|&k| self.jump(state.discrete, k).0 > s).count();
            state.discrete[COMING] += back as f64;
        }
    }

    fn jumped(&self, before: &Context<f64>, after: &Context<f64>, next: &mut [f64]) {
        let (old, new) = (before.get(self.input), after.get(self.input));
        if next[NEWEST] >= 0.0 && is_jump(old, new, &next[self.first_sample()..]) {
            self.keep(after.time, [old, new], next);
        }
    }
}
