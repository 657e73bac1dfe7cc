//! Proportional-integral-derivative control of a signal whose rate is not measured.

use super::pid_law::{PidLaw, PidSettings};
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `effort = kp e + ki z + kd d` within its limits, `ż = e`, for n errors e; the rate d comes from a filter of time
/// constant T: `T ẇ = e - w`, `d = (e - w)/T`, which is the transfer function `s/(1 + T s)`.
///
/// With N = 1/T it is the usual `kp + ki/s + kd N/(1 + N/s)`. The filter starts at w = 0: an initial error counts as a
/// jump and gives the effort `kd e/T`, which decays with T. The integral is kept only if some ki is not zero, the
/// filter only if some kd is not.
pub struct PidOnError {
    /// Desired minus measured value, width n.
    pub error: In<Dyn>,
    /// Effort, width n.
    pub effort: Out<Dyn>,
    law: PidLaw,
    time_constant: Vec<f64>,
    ports: Ports,
}

impl PidOnError {
    /// A controller of `channels` channels, with the settings' filter or, without one, a filter of kd/kp/10 where kp
    /// and kd are positive.
    ///
    /// # Errors
    /// As [`Pid::with`](super::Pid::with); a gain kd without a filter where kd/kp is not positive.
    pub fn new(channels: usize, settings: PidSettings) -> Result<Self, ParameterError> {
        let law = PidLaw::new(channels, settings.filtered(channels)?)?;
        let time_constant = law.filter.clone().unwrap_or_default();
        let mut ports = Ports::new();
        let error = ports.input_of_width("error", channels);
        let effort = ports.output_of_width("effort", channels);
        if law.integrates {
            ports.continuous_state("integral", vec![0.0; channels]);
        }
        if law.differentiates {
            ports.continuous_state("filter", vec![0.0; channels]);
        }
        Ok(PidOnError { error, effort, law, time_constant, ports })
    }

    /// The rate d of channel `i`.
    fn rate<S: Scalar>(&self, ctx: &Context<S>, i: usize) -> S {
        if !self.law.differentiates {
            return S::zero();
        }
        let w = ctx.continuous[if self.law.integrates { self.law.channels } else { 0 } + i];
        (ctx.get(self.error)[i] - w) / S::constant(self.time_constant[i])
    }

    /// kp e + ki z + kd d of channel `i`.
    fn raw<S: Scalar>(&self, ctx: &Context<S>, i: usize) -> S {
        let z = if self.law.integrates { ctx.continuous[i] } else { S::zero() };
        self.law.raw(i, ctx.get(self.error)[i], z, self.rate(ctx, i))
    }
}

impl LeafSystem for PidOnError {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        self.law.is_limited()
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (i, effort) in out.slice(self.effort).iter_mut().enumerate() {
            *effort = self.law.effort(i, self.raw(ctx, i));
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let (integrals, filters) = derivatives.split_at_mut(if self.law.integrates { self.law.channels } else { 0 });
        for (i, rate) in integrals.iter_mut().enumerate() {
            *rate = self.law.integral_rate(i, ctx.get(self.error)[i], self.raw(ctx, i));
        }
        for (i, rate) in filters.iter_mut().enumerate() {
            *rate = self.rate(ctx, i);
        }
    }
}
