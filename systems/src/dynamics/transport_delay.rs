//! A delayed signal.
//!
//! The input is sampled at every period and kept for the delay; between samples it is interpolated linearly. With
//! samples uₖ at k T the output is, for `j T <= t - delay <= (j + 1) T`,
//!
//! ```text
//! y(t) = u_j + (u_(j+1) - u_j) (t - delay - j T)/T
//! ```
//!
//! which is exact if the input is linear between samples, and otherwise within T²/8 max |ü| of the delayed input.
//! Before time zero the input counts as `initial`: its jump to the first sample arrives exactly, as an event one delay
//! later, so that no step of an integrator goes over it.
//!
//! If an event makes the input jump, also at the instant of a sample, both its values are kept with that instant. They
//! count as two more samples, and the jump arrives as an event one delay later: a pulse shorter than the period passes
//! unchanged. Up to [`jumps_kept`] jumps may be in transit; a further one becomes a ramp of at most a period.
//!
//! If the delay is no multiple of the period, the output has kinks between the times of samples, one in each period. A
//! kink by more than a hundredth of the signal is an event.
//!
//! The sample after t - delay must have been taken by the time t, so the delay is at least one period.

use super::kept_jumps::{MAX_SAMPLES, is_jump, jump};
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Crossing, Sampling, Tick, Witness, simultaneous};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar, TimeVariation};

/// The smallest kink between samples that is an event, relative to the samples about it.
const SMALLEST_BEND: f64 = 1e-2;
/// The witness functions.
const JUMP: usize = 0;
const BEND: usize = 1;
/// Index of the periodic event at which the first sample arrives.
const ARRIVAL: usize = 1;
/// Index of the jumps in the discrete state: their number, the number in transit, then each with its time, the values
/// before and those after it, the latest first.
const JUMPS: usize = 2;
const FIRST_JUMP: usize = JUMPS + 2;

/// Number of jumps that a delay keeps for an input of `width` numbers.
fn jumps_kept(width: usize) -> usize {
    (512 / width.max(1)).clamp(16, 128)
}

/// `output(t) = input(t - delay)`, from samples of the input every `period`, with linear interpolation; exact for
/// inputs that are linear between samples, and at jumps of the input by events.
///
/// Choose the period well below the time scale of the input: the error is at most period²/8 times its second
/// derivative.
pub struct TransportDelay {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n. It depends on earlier inputs only, so a delay breaks algebraic loops.
    pub output: Out<Dyn>,
    width: usize,
    delay: f64,
    period: f64,
    /// Number of samples kept.
    samples: usize,
    initial: Vec<f64>,
    jumps: usize,
    ports: Ports,
}

impl TransportDelay {
    /// A delay of `width` channels by `delay` \[s\], sampled every `period` \[s\]; `initial` is the input before time
    /// zero.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a period that is not positive or longer than the
    /// delay, more than a million periods in the delay.
    pub fn new(width: usize, delay: f64, period: f64, initial: impl Into<PerChannel>) -> Result<Self, ParameterError> {
        let initial = initial.into().expand("initial", width)?;
        let sampling = parameter::sampling(Sampling::every(period))?;
        parameter::finite("delay", &[delay])?;
        let periods = delay / period;
        parameter::within("delay", &[delay], "at least one period", |_| periods >= 1.0 - 1e-9)?;
        parameter::within("delay", &[delay], "at most a million periods", |_| periods <= MAX_SAMPLES)?;
        // Just before a sample is taken, the oldest one needed is `periods` before the next one.
        let samples = (periods - 1e-9).ceil() as usize + 1;
        let numbers = parameter::held("delay", samples, width)?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", width);
        let output = ports.output_of_width("output", width);
        ports.no_feedthrough(output);
        ports.periodic(sampling);
        ports.periodic(Sampling::once(delay));
        // The number of the newest sample, and a flag of whether the first one has arrived.
        ports.discrete_state("newest", vec![-1.0]);
        ports.discrete_state("arrived", vec![0.0]);
        let jumps = jumps_kept(width);
        ports.discrete_state("jumps", vec![0.0; 2 + jumps * (1 + 2 * width)]);
        let history = initial.iter().copied().cycle().take(numbers).collect();
        ports.discrete_state("samples", history);
        ports.witness("jump", Crossing::Rising);
        ports.witness("bend", Crossing::Rising);
        ports.units_alike([input], output);
        Ok(TransportDelay { input, output, width, delay, period, samples, initial, jumps, ports })
    }

    /// Jump `k`, counted from the latest: its time, the values before it and those after it.
    fn jump<'a>(&self, discrete: &'a [f64], k: usize) -> (f64, &'a [f64], &'a [f64]) {
        jump(&discrete[FIRST_JUMP..], self.width, k)
    }

    /// Removes jumps that have arrived by `time` \[s\] from those in transit.
    fn let_through(&self, time: f64, discrete: &mut [f64]) {
        while discrete[JUMPS + 1] > 0.0
            && (time - self.delay) - self.jump(discrete, discrete[JUMPS + 1] as usize - 1).0 > 0.0
        {
            discrete[JUMPS + 1] -= 1.0;
        }
    }

    /// The instant of the input \[s\] at which the interpolation has a kink, and which arrives between this sample and
    /// the next; `None` if that is at the instant of a sample, or if the kink is small.
    fn bend(&self, discrete: &[f64]) -> Option<f64> {
        let periods = self.delay / self.period;
        let (at, newest) = (periods.floor(), discrete[0]);
        if (periods - periods.round()).abs() < 1e-9 || newest - at < 1.0 {
            return None;
        }
        let samples = &discrete[self.first_sample()..][(at as usize - 1) * self.width..];
        let bends = (0..self.width).any(|i| {
            let [after, here, before] = [0, 1, 2].map(|k| samples[k * self.width + i]);
            let size = after.abs().max(here.abs()).max(before.abs());
            (after - 2.0 * here + before).abs() > SMALLEST_BEND * size
        });
        bends.then_some((newest - at) * self.period)
    }

    /// Index of the samples in the discrete state.
    fn first_sample(&self) -> usize {
        FIRST_JUMP + self.jumps * (1 + 2 * self.width)
    }

    /// The interval about `then` \[s\] on which the input counts as linear, with its values at both ends, given those
    /// of the samples; `None` if it is the interval between the samples, without a jump in it.
    fn between<'a>(
        &self,
        discrete: &'a [f64],
        then: f64,
        [after, before]: [(f64, &'a [f64]); 2],
    ) -> Option<[(f64, &'a [f64]); 2]> {
        let (mut after, mut before, mut jumps) = (after, before, false);
        for k in 0..discrete[JUMPS] as usize {
            let (time, old, new) = self.jump(discrete, k);
            let rounding = simultaneous(time);
            if time >= then && time <= after.0 + rounding {
                (after, jumps) = ((time, old), true);
            }
            if time < then {
                // At the instant of a sample, too: its value is that before the jump, or that after it.
                if time >= before.0 - rounding {
                    (before, jumps) = ((time, new), true);
                }
                break;
            }
        }
        jumps.then_some([after, before])
    }
}

impl LeafSystem for TransportDelay {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        // Between samples it is linear.
        TimeVariation::Period(4.0 * self.period)
    }

    fn pure_delay(&self) -> Option<f64> {
        Some(self.delay)
    }

    fn watches_jumps(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let samples = &ctx.discrete[self.first_sample()..];
        let (newest, arrived) = (ctx.discrete[0], ctx.discrete[1] > 0.5);
        let y = out.slice(self.output);
        let then = (ctx.time - S::constant(self.delay)) / S::constant(self.period);
        // At the instant itself the first sample arrives only after the event; later, it has arrived anyway.
        if newest < 0.0 || (!arrived && then.value() < 1e-9) {
            y.iter_mut().zip(&self.initial).for_each(|(y, &u)| *y = S::constant(u));
            return;
        }
        // How many periods the wanted time lies before the newest sample.
        let age = S::constant(newest) - then;
        let last = self.samples - 1;
        let index = age.value().floor().clamp(0.0, (last - 1) as f64);
        let at = index as usize * self.width;
        let (after, before) = (&samples[at..at + self.width], &samples[at + self.width..at + 2 * self.width]);
        if ctx.discrete[JUMPS] > 0.0 {
            let time = (newest - index) * self.period;
            let samples = [(time, after), (time - self.period, before)];
            let then = ctx.time - S::constant(self.delay);
            if let Some([after, before]) = self.between(ctx.discrete, then.value(), samples) {
                let length = after.0 - before.0;
                // For a jump at the time of a sample, up to rounding, the latest value holds.
                let fraction = if length > simultaneous(after.0) {
                    (S::constant(after.0) - then) / S::constant(length)
                } else {
                    S::one()
                };
                for (y, (&after, &before)) in y.iter_mut().zip(after.1.iter().zip(before.1)) {
                    *y = S::constant(after) + fraction * S::constant(before - after);
                }
                return;
            }
        }
        let fraction = age - S::constant(index);
        for (y, (&after, &before)) in y.iter_mut().zip(after.iter().zip(before)) {
            *y = S::constant(after) + fraction * S::constant(before - after);
        }
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        if tick.index == ARRIVAL {
            next[1] = 1.0;
            return;
        }
        // Newest first: the others move up by one, the oldest is dropped.
        next[0] = (ctx.time / self.period).round();
        let samples = &mut next[self.first_sample()..];
        samples.copy_within(..(self.samples - 1) * self.width, self.width);
        samples[..self.width].copy_from_slice(ctx.get(self.input));
        self.let_through(ctx.time, next);
        // Jumps that no later output reads are dropped, too.
        let oldest = ctx.time - (self.samples + 1) as f64 * self.period;
        while next[JUMPS] > next[JUMPS + 1] && self.jump(next, next[JUMPS] as usize - 1).0 < oldest {
            next[JUMPS] -= 1.0;
        }
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        // The same difference as for outputs, so that both are on one side.
        let coming = ctx.discrete[JUMPS + 1] as usize;
        values[BEND] = self.bend(ctx.discrete).map_or(-1.0, |bend| (ctx.time - self.delay) - bend);
        values[JUMP] = if coming == 0 { -1.0 } else { (ctx.time - self.delay) - self.jump(ctx.discrete, coming - 1).0 };
    }

    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        if witness.index == JUMP {
            self.let_through(ctx.time, state.discrete);
        }
    }

    fn jumped(&self, before: &Context<f64>, after: &Context<f64>, next: &mut [f64]) {
        let (old, new) = (before.get(self.input), after.get(self.input));
        let (count, coming) = (next[JUMPS] as usize, next[JUMPS + 1] as usize);
        if coming == self.jumps || !is_jump(old, new, &next[self.first_sample()..]) {
            return;
        }
        let size = 1 + 2 * self.width;
        let kept = count.min(self.jumps - 1);
        next.copy_within(FIRST_JUMP..FIRST_JUMP + kept * size, FIRST_JUMP + size);
        let jump = &mut next[FIRST_JUMP..FIRST_JUMP + size];
        jump[0] = after.time;
        jump[1..=self.width].copy_from_slice(old);
        jump[1 + self.width..].copy_from_slice(new);
        (next[JUMPS], next[JUMPS + 1]) = ((kept + 1) as f64, (coming + 1) as f64);
    }
}
