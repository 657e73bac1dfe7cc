//! Random numbers, held between samples.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::random::{normal, seed};
use kinegraph_core::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar, TimeVariation};

/// `output = mean + standard_deviation nₖ` for `k period <= t < (k + 1) period`, with independent standard normal
/// numbers nₖ.
///
/// Band-limited white noise: its two-sided spectral density is `standard_deviation² period` up to frequencies near 1/(2
/// period). nₖ is a function of (seed, channel, k) alone, and the only state is k and the seed: a run can be repeated,
/// resumed or rewound, and worlds of one diagram can have seeds of their own. Each sample is an event; a simulation
/// that starts between two samples begins with sample 0 and goes on with the sample of its time.
pub struct Noise {
    /// Width n, in the units of the standard deviation.
    pub output: Out<Dyn>,
    standard_deviation: Vec<f64>,
    mean: Vec<f64>,
    period: f64,
    ports: Ports,
}

impl Noise {
    /// Noise of `width` channels with a new value every `period` \[s\]; standard deviation and mean one for all or one
    /// each.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a period that is not positive, or a negative
    /// standard deviation.
    pub fn new(
        width: usize,
        standard_deviation: impl Into<PerChannel>,
        mean: impl Into<PerChannel>,
        period: f64,
        seed: u64,
    ) -> Result<Self, ParameterError> {
        let standard_deviation = standard_deviation.into().expand("standard_deviation", width)?;
        parameter::within("standard_deviation", &standard_deviation, "a number that is not negative", |s| s >= 0.0)?;
        let mean = mean.into().expand("mean", width)?;
        parameter::finite("period", &[period])?;
        parameter::positive("period", &[period])?;
        let mut ports = Ports::new();
        let output = ports.output_of_width("output", width);
        ports.periodic(Sampling::every(period));
        ports.discrete_state("sample", vec![0.0]);
        seed::declare(&mut ports, seed);
        Ok(Noise { output, standard_deviation, mean, period, ports })
    }
}

impl LeafSystem for Noise {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        TimeVariation::Steady
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (k, seed) = (ctx.discrete[0] as u64, seed::held(&ctx.discrete[1..]));
        for (channel, y) in out.slice(self.output).iter_mut().enumerate() {
            let n = normal(seed, channel as u64, k);
            *y = S::constant(self.mean[channel] + self.standard_deviation[channel] * n);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        next[0] = (ctx.time / self.period).round();
    }
}
