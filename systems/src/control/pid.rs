//! Proportional-integral-derivative control of coordinates.

use crate::parameter::{ParameterError, PerChannel};
use crate::{Context, Dyn, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};

/// `effort = kp (q_d - q) + kd (v_d - v) + ki z`, `ż = q_d - q`, for n channels.
///
/// Units: with q in rad and effort in N m, kp is in N m/rad, kd in N m s/rad and ki in N m/(rad s).
pub struct Pid {
    /// Measured positions q, then velocities v; width 2n.
    pub measured: In<MultibodyState>,
    /// Desired positions q_d, then velocities v_d; width 2n.
    pub desired: In<MultibodyState>,
    /// Effort, width n.
    pub effort: Out<Dyn>,
    kp: Vec<f64>,
    ki: Vec<f64>,
    kd: Vec<f64>,
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
        let (kp, ki) = (kp.into().expand("kp", channels)?, ki.into().expand("ki", channels)?);
        let kd = kd.into().expand("kd", channels)?;
        let mut ports = Ports::new();
        let measured = ports.input_of_width("measured", 2 * channels);
        let desired = ports.input_of_width("desired", 2 * channels);
        let effort = ports.output_of_width("effort", channels);
        ports.continuous_state("integral", vec![0.0; channels]);
        Ok(Pid { measured, desired, effort, kp, ki, kd, ports })
    }
}

impl LeafSystem for Pid {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (measured, desired, n) = (ctx.get(self.measured), ctx.get(self.desired), self.kp.len());
        let gain = |gains: &[f64], i: usize| S::constant(gains[i]);
        for (i, effort) in out.slice(self.effort).iter_mut().enumerate() {
            *effort = gain(&self.kp, i) * (desired[i] - measured[i])
                + gain(&self.kd, i) * (desired[n + i] - measured[n + i])
                + gain(&self.ki, i) * ctx.continuous[i];
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let (measured, desired) = (ctx.get(self.measured), ctx.get(self.desired));
        for (i, rate) in derivatives.iter_mut().enumerate() {
            *rate = desired[i] - measured[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&Pid::new(3, 1e4, [1.0, 2.0, 3.0], 200.0).unwrap());
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
    fn names_the_gain_that_does_not_fit() {
        let fault = Pid::new(2, 1.0, [1.0; 3], 1.0).err().unwrap();
        assert_eq!(fault.to_string(), "ki has 3 elements, expected 2");
        let fault = Pid::new(2, 1.0, 1.0, f64::INFINITY).err().unwrap();
        assert_eq!(fault.to_string(), "kd[0] is inf, expected a finite number");
    }
}
