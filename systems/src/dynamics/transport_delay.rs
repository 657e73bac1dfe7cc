//! A signal some time ago.
//!
//! The input is sampled at every period and kept for as long as the delay; between samples it counts as linear. With
//! samples uₖ at k T the output is, for `j T <= t - delay <= (j + 1) T`,
//!
//! ```text
//! y(t) = u_j + (u_(j+1) - u_j) (t - delay - j T)/T
//! ```
//!
//! which is the delayed input exactly where that is linear between samples, and within T²/8 max |ü| of it elsewhere. A
//! jump becomes a ramp of at most one period. Before time zero the input counts as `initial`: its jump to the first
//! sample comes through exactly, as an event one delay later, so that no step of an integrator goes over it.
//!
//! The sample after t - delay must have been taken by the time t, so the delay is at least one period.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Most samples that one delay keeps per channel.
const MAX_SAMPLES: f64 = 1e6;
/// The periodic event at which the first sample comes through.
const ARRIVAL: usize = 1;

/// `output(t) = input(t - delay)`, from samples of the input every `period`, linear between them; exact for inputs that
/// are.
///
/// Choose the period well below the times in which the input changes: the error is at most period²/8 times its second
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
    ports: Ports,
}

impl TransportDelay {
    /// A delay of `width` channels by `delay` \[s\], sampled every `period` \[s\]; `initial` stands for the input
    /// before time zero.
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
        // The number of the newest sample, and whether the first one has come through.
        ports.discrete_state("newest", vec![-1.0]);
        ports.discrete_state("arrived", vec![0.0]);
        let history = initial.iter().copied().cycle().take(numbers).collect();
        ports.discrete_state("samples", history);
        Ok(TransportDelay { input, output, width, delay, period, samples, initial, ports })
    }
}

kinegraph_core::shipped!(TransportDelay);

impl LeafSystem for TransportDelay {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (newest, arrived, samples) = (ctx.discrete[0], ctx.discrete[1] > 0.5, &ctx.discrete[2..]);
        let y = out.slice(self.output);
        let then = (ctx.time - S::constant(self.delay)) / S::constant(self.period);
        // At the instant itself the first sample has come through only after the event; later, it has anyway.
        if newest < 0.0 || (!arrived && then.value() < 1e-9) {
            y.iter_mut().zip(&self.initial).for_each(|(y, &u)| *y = S::constant(u));
            return;
        }
        // How many periods the wanted time lies before the newest sample.
        let age = S::constant(newest) - then;
        let last = self.samples - 1;
        let index = age.value().floor().clamp(0.0, (last - 1) as f64);
        let fraction = age - S::constant(index);
        let at = index as usize * self.width;
        for (i, y) in y.iter_mut().enumerate() {
            let (after, before) = (samples[at + i], samples[at + self.width + i]);
            *y = S::constant(after) + fraction * S::constant(before - after);
        }
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        if tick.index == ARRIVAL {
            next[1] = 1.0;
            return;
        }
        // Newest first: the others move up by one, the oldest is forgotten.
        next[0] = (ctx.time / self.period).round();
        let samples = &mut next[2..];
        samples.copy_within(..(self.samples - 1) * self.width, self.width);
        samples[..self.width].copy_from_slice(ctx.get(self.input));
    }
}
