//! Random numbers, held between samples.

use super::philox::normal;
use super::seed;
use crate::parameter::{self, ParameterError, PerChannel};
use crate::port::{Sampling, Tick};
use crate::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = mean + standard_deviation nₖ` for `k period <= t < (k + 1) period`, with independent standard normal
/// numbers nₖ.
///
/// White noise of limited band: its two-sided spectral density is `standard_deviation² period` up to frequencies near
/// 1/(2 period). nₖ is a function of (seed, channel, k) alone, and the only state is k and the seed: a run can be
/// repeated, resumed or taken back, and worlds of one diagram can have seeds of their own. Each sample is an event; a simulation that starts between two samples begins with sample 0 and goes
/// on with the sample of its time.
pub struct Noise {
    /// Width n, in the units of the standard deviation.
    pub output: Out<Dyn>,
    standard_deviation: Vec<f64>,
    mean: Vec<f64>,
    period: f64,
    ports: Ports,
}

impl Noise {
    /// `width` channels that take a new value every `period` \[s\]; standard deviation and mean one for all or one
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
    fn ports(&self) -> &Ports {
        &self.ports
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&Noise::new(3, [0.0, 1.0, 2.0], 0.5, 0.1, 7).unwrap());
    }

    #[test]
    fn has_the_moments_of_independent_normal_numbers() {
        let noise = Noise::new(2, 3.0, 1.0, 0.01, 42).unwrap();
        const N: usize = 20_000;
        let samples: Vec<Vec<f64>> =
            (0..N).map(|k| Bench::new(&noise).discrete([k as f64, 0.0, 42.0]).eval(noise.output)).collect();
        let mean = |f: &dyn Fn(usize) -> f64| (0..N - 1).map(f).sum::<f64>() / (N - 1) as f64;
        let n = |k: usize, channel: usize| (samples[k][channel] - 1.0) / 3.0;
        // Five standard errors of each estimate.
        let close = |what: &str, value: f64, expected: f64, variance: f64| {
            let error = 5.0 * (variance / N as f64).sqrt();
            assert!((value - expected).abs() < error, "{what}: {value} instead of {expected} ± {error}");
        };
        for channel in 0..2 {
            close("mean", mean(&|k| n(k, channel)), 0.0, 1.0);
            close("variance", mean(&|k| n(k, channel).powi(2)), 1.0, 2.0);
            close("fourth moment", mean(&|k| n(k, channel).powi(4)), 3.0, 96.0);
            close("successive samples", mean(&|k| n(k, channel) * n(k + 1, channel)), 0.0, 1.0);
        }
        close("channels", mean(&|k| n(k, 0) * n(k, 1)), 0.0, 1.0);
    }

    #[test]
    fn the_sample_is_that_of_the_time() {
        let noise = Noise::new(1, 1.0, 0.0, 0.1, 1).unwrap();
        assert_eq!(Bench::new(&noise).time(0.1 + 0.2).update(Tick { index: 0 }), [3.0, 0.0, 1.0]);
        let other = Noise::new(1, 1.0, 0.0, 0.1, 2).unwrap();
        assert_ne!(Bench::new(&noise).eval(noise.output), Bench::new(&other).eval(other.output));
    }

    #[test]
    fn refuses_a_negative_deviation() {
        let fault = Noise::new(1, -1.0, 0.0, 0.1, 1).err().unwrap();
        assert_eq!(fault.to_string(), "standard_deviation[0] is -1, expected a number that is not negative");
    }
}
