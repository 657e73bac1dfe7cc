//! Proportional-integral-derivative control of coordinates.

use super::pid_law::{PidLaw, PidSettings};
use kinegraph_core::parameter::{ParameterError, PerChannel};
use kinegraph_core::unit::Dimension;
use kinegraph_core::{Context, Dyn, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};

/// `effort = kp (q_d - q) + kd d + ki z` within its limits, `ż = q_d - q`, for n channels; d = v_d - v, or with a
/// derivative filter of time constant T, `T ḋ + d = v_d - v`.
///
/// Units: with q in rad and effort in N m, kp is in N m/rad, kd in N m s/rad and ki in N m/(rad s). The integral is
/// kept only if some ki is not zero. For a signal without a rate see [`PidOnError`](super::PidOnError).
pub struct Pid {
    /// Measured positions q, then velocities v; width 2n.
    pub measured: In<MultibodyState>,
    /// Desired positions q_d, then velocities v_d; width 2n.
    pub desired: In<MultibodyState>,
    /// Effort, width n.
    pub effort: Out<Dyn>,
    law: PidLaw,
    ports: Ports,
}

impl Pid {
    /// A controller of `channels` channels, with gains for all or one each. The integral starts at zero.
    ///
    /// # Errors
    /// A list of gains that is not `channels` long, or a gain that is not finite.
    pub fn new(
        channels: usize,
        kp: impl Into<PerChannel>,
        ki: impl Into<PerChannel>,
        kd: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        Self::with(channels, PidSettings::new(kp, ki, kd))
    }

    /// A controller with a derivative filter, limits of the effort, and anti-windup, as the settings state.
    ///
    /// # Errors
    /// A list that is not `channels` long, a number that is not finite, a time that is not positive, a lower limit that
    /// is not below the upper one, back calculation without a tracking time where kp/ki is not positive.
    pub fn with(channels: usize, settings: PidSettings) -> Result<Self, ParameterError> {
        let law = PidLaw::new(channels, settings)?;
        let mut ports = Ports::new();
        let measured = ports.input_of_width("measured", 2 * channels);
        let desired = ports.input_of_width("desired", 2 * channels);
        let effort = ports.output_of_width("effort", channels);
        if law.integrates {
            ports.continuous_state("integral", vec![0.0; channels]);
        }
        if law.filter.is_some() {
            ports.continuous_state("rate", vec![0.0; channels]);
        }
        ports.input_units_alike([measured, desired]);
        Ok(Pid { measured, desired, effort, law, ports })
    }

    /// States the units of `kp`, one for all channels or one each: those of the effort are these times those of the
    /// error. Without them, the effort may have any unit.
    pub fn in_units(mut self, kp: Vec<Option<Dimension>>) -> Self {
        self.ports.units_times(self.effort, self.measured, kp);
        self
    }

    /// Error of channel `i`, and kp e + ki z + kd d.
    fn raw<S: Scalar>(&self, ctx: &Context<S>, i: usize) -> (S, S) {
        let (measured, desired, n) = (ctx.get(self.measured), ctx.get(self.desired), self.law.channels);
        let (integrals, rates) = ctx.continuous.split_at(if self.law.integrates { n } else { 0 });
        let e = desired[i] - measured[i];
        let d = if self.law.filter.is_some() { rates[i] } else { desired[n + i] - measured[n + i] };
        (e, self.law.raw(i, e, integrals.get(i).copied().unwrap_or(S::zero()), d))
    }
}

impl LeafSystem for Pid {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        self.law.is_limited()
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (i, effort) in out.slice(self.effort).iter_mut().enumerate() {
            *effort = self.law.effort(i, self.raw(ctx, i).1);
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let n = self.law.channels;
        let (integrals, rates) = derivatives.split_at_mut(if self.law.integrates { n } else { 0 });
        for (i, rate) in integrals.iter_mut().enumerate() {
            let (e, raw) = self.raw(ctx, i);
            *rate = self.law.integral_rate(i, e, raw);
        }
        if let Some(filter) = &self.law.filter {
            let (measured, desired) = (ctx.get(self.measured), ctx.get(self.desired));
            let filtered = &ctx.continuous[integrals.len()..];
            for (i, rate) in rates.iter_mut().enumerate() {
                *rate = (desired[n + i] - measured[n + i] - filtered[i]) / S::constant(filter[i]);
            }
        }
    }
}
