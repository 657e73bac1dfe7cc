//! Common parts of sampled sensors: sampling times, errors of readings, and latency.
//!
//! Reading k of the quantity x is taken at `t_k = offset + k period`, and is at the output from `t_k + latency` until
//! the next reading arrives:
//!
//! ```text
//! y_k = Q(x(t_k) + bias + standard_deviation n_k),   Q(x) = resolution round(x / resolution)
//! ```
//!
//! with independent standard normal numbers n_k. Both times are events of the diagram, so that they are exact, whatever
//! the steps of the integrator are. Before the first reading the output is zero.
//!
//! With a latency longer than the period, several readings are in transit: they are kept in a ring buffer of the
//! discrete state, which a snapshot contains like any other state.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Ports, Sampling, Tick};
use kinegraph_core::random::{normal, seed};
use kinegraph_core::{Context, Scalar};
use std::ops::Range;

/// First random channel of these sensors. It differs from those of other blocks, so that the same seed gives other
/// numbers.
const FIRST_CHANNEL: u64 = 2 << 32;

/// Sampling times and errors of a sampled sensor; values for all channels or one each, in the unit of the quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleSettings {
    /// Time between two readings, and time of the first \[s\].
    pub sampling: Sampling,
    /// Delay from taking a reading until it is at the output \[s\].
    pub latency: f64,
    /// Bias of each reading.
    pub bias: PerChannel,
    /// Standard deviation of each reading.
    pub noise: PerChannel,
    /// Readings are rounded to multiples of this; zero: no rounding.
    pub resolution: PerChannel,
    /// Seed of the noise.
    pub seed: u64,
}

impl SampleSettings {
    /// Perfect readings without latency.
    pub fn every(period: f64) -> Self {
        SampleSettings {
            sampling: Sampling::every(period),
            latency: 0.0,
            bias: 0.0.into(),
            noise: 0.0.into(),
            resolution: 0.0.into(),
            seed: 0,
        }
    }
}

/// The readings of one block, in its discrete state from `first` on: those in transit, the one at the output, the seed.
#[derive(Clone, Debug)]
pub(super) struct Sampled {
    taken: Sampling,
    shown: Sampling,
    /// Maximum number of readings in transit; zero: no latency.
    slots: usize,
    width: usize,
    first: usize,
    bias: Option<Vec<f64>>,
    noise: Option<Vec<f64>>,
    resolution: Option<Vec<f64>>,
}

impl Sampled {
    /// Declares state and events of readings of `width` numbers. Call it after the ports are declared, and before any
    /// other event is.
    pub fn declare(ports: &mut Ports, width: usize, settings: SampleSettings) -> Result<Self, ParameterError> {
        let SampleSettings { sampling, latency, bias, noise, resolution, seed } = settings;
        let taken = parameter::sampling(sampling)?;
        parameter::finite("latency", &[latency])?;
        let not_negative = "a number that is not negative";
        parameter::within("latency", &[latency], not_negative, |x| x >= 0.0)?;
        // The ring holds a reading, and the further ones that are taken until it arrives.
        let slots = if latency == 0.0 { 0 } else { (latency / taken.period - 1e-9).ceil().max(1.0) as usize + 1 };
        parameter::held("latency", slots.saturating_add(1), width)?;
        // Perfect readings need no lists, which for pictures would be full of zeros.
        let given = |values: PerChannel, name: &str| match values {
            PerChannel::All(0.0) => Ok(None),
            values => values.expand(name, width).map(Some),
        };
        let bias = given(bias, "bias")?;
        let (noise, resolution) = (given(noise, "noise")?, given(resolution, "resolution")?);
        for (name, values) in [("noise", &noise), ("resolution", &resolution)] {
            parameter::within(name, values.as_deref().unwrap_or(&[]), not_negative, |x| x >= 0.0)?;
        }
        let shown = Sampling { offset: taken.offset + latency, ..taken };
        ports.periodic(taken);
        if slots > 0 {
            ports.periodic(shown);
        }
        let first = ports.discrete_width();
        ports.discrete_state("on_their_way", vec![0.0; slots * width]);
        ports.discrete_state("reading", vec![0.0; width]);
        seed::declare(ports, seed);
        Ok(Sampled { taken, shown, slots, width, first, bias, noise, resolution })
    }

    /// Range of the reading at the output in the discrete state.
    pub fn reading(&self) -> Range<usize> {
        let first = self.first + self.slots * self.width;
        first..first + self.width
    }

    /// Writes the reading at the output.
    pub fn write<S: Scalar>(&self, ctx: &Context<S>, out: &mut [S]) {
        out.iter_mut().zip(self.held(ctx)).for_each(|(y, &x)| *y = S::constant(x));
    }

    /// The reading at the output.
    pub fn held<'a, S: Scalar>(&self, ctx: &Context<'a, S>) -> &'a [f64] {
        &ctx.discrete[self.reading()]
    }

    /// At an event: takes a reading of the values that `measure` writes, or moves one to the output. `after` changes a
    /// reading last, to keep it within the range of the sensor. Returns the number of the reading that is now at the
    /// output, if it is a new one.
    pub fn update(
        &self,
        tick: Tick,
        ctx: &Context<f64>,
        next: &mut [f64],
        measure: impl FnOnce(&mut [f64]),
        after: impl Fn(f64, &mut f64),
    ) -> Option<u64> {
        let at = |sampling: &Sampling| ((ctx.time - sampling.offset) / sampling.period).round().max(0.0) as u64;
        if tick.index > 0 {
            let k = at(&self.shown);
            let from = self.first + (k % self.slots as u64) as usize * self.width;
            // From the state before this time: a reading that is taken now is elsewhere in the ring.
            next[self.reading()].copy_from_slice(&ctx.discrete[from..from + self.width]);
            return Some(k);
        }
        let k = at(&self.taken);
        let to = match self.slots as u64 {
            0 => self.reading(),
            slots => {
                let first = self.first + (k % slots) as usize * self.width;
                first..first + self.width
            }
        };
        let seed = seed::held(&ctx.discrete[self.reading().end..][..2]);
        let reading = &mut next[to];
        measure(reading);
        for (i, y) in reading.iter_mut().enumerate() {
            let measured = *y;
            if let Some(bias) = &self.bias {
                *y += bias[i];
            }
            if let Some(noise) = self.noise.as_ref().filter(|noise| noise[i] > 0.0) {
                *y += noise[i] * normal(seed, FIRST_CHANNEL + i as u64, k);
            }
            if let Some(resolution) = self.resolution.as_ref().filter(|resolution| resolution[i] > 0.0) {
                *y = resolution[i] * (*y / resolution[i]).round();
            }
            after(measured, y);
        }
        (self.slots == 0).then_some(k)
    }
}
