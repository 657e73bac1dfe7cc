//! Proportional-integral-derivative control of coordinates.

use super::pid_law::{PidLaw, PidSettings};
use crate::parameter::{ParameterError, PerChannel};
use crate::{Context, Dyn, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};

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
    /// A controller of `channels` channels, each gain one for all or one each. The integral starts at zero.
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

    /// The same with a derivative filter, with limits of the effort, with protection against windup.
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
        Ok(Pid { measured, desired, effort, law, ports })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::AntiWindup;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&Pid::new(3, 1e4, [1.0, 2.0, 3.0], 200.0).unwrap());
        conformance::check(&Pid::new(2, 100.0, 0.0, 2.0).unwrap());
        for anti_windup in [AntiWindup::Off, AntiWindup::Clamping, AntiWindup::BackCalculation(None)] {
            let (lower, upper) = (Some((-1.0).into()), Some([0.5, 2.0].into()));
            let filter = Some(0.1.into());
            let gains = PidSettings::new(3.0, [0.0, 2.0], 0.7);
            let settings = PidSettings { derivative_filter: filter, lower, upper, anti_windup, ..gains };
            conformance::check(&Pid::with(2, settings).unwrap());
        }
    }

    #[test]
    fn pushes_towards_the_desired_state() {
        let pid = Pid::new(2, [100.0, 10.0], 5.0, 7.0).unwrap();
        let bench = Bench::new(&pid)
            .input(pid.measured, [0.1, 0.5, 0.0, 1.0])
            .input(pid.desired, [1.0, 0.5, 0.0, 3.0])
            .state([0.2, -1.0]);
        assert_eq!(bench.eval(pid.effort), [91.0, 9.0]);
        assert_eq!(bench.derivatives(), [0.9, 0.0]);
        let measured = bench.jacobian(pid.measured, pid.effort);
        let expected = [-100.0, 0.0, -7.0, 0.0, 0.0, -10.0, 0.0, -7.0];
        assert_eq!(measured, nalgebra::DMatrix::from_row_slice(2, 4, &expected));
        assert_eq!(bench.jacobian(pid.desired, pid.effort), -measured);
    }

    #[test]
    fn without_integral_gain_there_is_no_state() {
        assert_eq!(LeafSystem::ports(&Pid::new(2, 1.0, 0.0, 1.0).unwrap()).continuous_width(), 0);
    }

    #[test]
    fn the_filter_takes_the_place_of_the_rate() {
        let settings = PidSettings { derivative_filter: Some(0.5.into()), ..PidSettings::new(1.0, 0.0, 10.0) };
        let pid = Pid::with(1, settings).unwrap();
        let bench = Bench::new(&pid).input(pid.measured, [0.0, 1.0]).input(pid.desired, [2.0, 4.0]).state([0.3]);
        assert_eq!(bench.eval(pid.effort), [2.0 + 10.0 * 0.3]);
        assert_eq!(bench.derivatives(), [(3.0 - 0.3) / 0.5]);
    }

    /// kp e = 6 with an integral of 1 gives 8, the limit is 5.
    #[test]
    fn at_a_limit_the_integral_does_as_its_protection_says() {
        let rate = |anti_windup, e: f64| {
            let settings = PidSettings { upper: Some(5.0.into()), anti_windup, ..PidSettings::new(3.0, 2.0, 0.0) };
            let pid = Pid::with(1, settings).unwrap();
            let bench = Bench::new(&pid).input(pid.measured, [0.0, 0.0]).input(pid.desired, [e, 0.0]).state([1.0]);
            (bench.eval(pid.effort)[0], bench.derivatives()[0])
        };
        assert_eq!(rate(AntiWindup::Off, 2.0), (5.0, 2.0));
        assert_eq!(rate(AntiWindup::Clamping, 2.0), (5.0, 0.0));
        // e - excess/(ki T), with T = 0.5 s given, and with T = kp/ki = 1.5 s.
        assert_eq!(rate(AntiWindup::BackCalculation(Some(0.5.into())), 2.0), (5.0, 2.0 - 3.0));
        assert_eq!(rate(AntiWindup::BackCalculation(None), 2.0), (5.0, 2.0 - 1.0));
        // Within the limits nothing changes.
        for anti_windup in [AntiWindup::Off, AntiWindup::Clamping, AntiWindup::BackCalculation(None)] {
            assert_eq!(rate(anti_windup, 0.5), (3.5, 0.5));
        }
    }

    #[test]
    fn names_the_gain_that_does_not_fit() {
        let fault = Pid::new(2, 1.0, [1.0; 3], 1.0).err().unwrap();
        assert_eq!(fault.to_string(), "ki has 3 elements, expected 2");
        let fault = Pid::new(2, 1.0, 1.0, f64::INFINITY).err().unwrap();
        assert_eq!(fault.to_string(), "kd[0] is inf, expected a finite number");
        let settings =
            PidSettings { anti_windup: AntiWindup::BackCalculation(None), ..PidSettings::new(0.0, 1.0, 0.0) };
        let fault = Pid::with(1, settings).err().unwrap().to_string();
        assert!(fault.starts_with("tracking_time (kp/ki)[0] is 0"), "{fault}");
    }
}
