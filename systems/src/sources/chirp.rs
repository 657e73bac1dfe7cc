//! A sine wave whose frequency changes.

use crate::parameter::{self, ParameterError, PerChannel};
use crate::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = amplitude sin φ(t)`, `dφ/dt` going linearly from ω₀ to ω₁ over a duration T, ω₀ before and ω₁ after it.
///
/// So φ = ω₀ t + (ω₁ - ω₀) t² / (2T) for 0 <= t <= T. The phase and its rate are continuous: no event is needed.
pub struct Chirp {
    /// Width n, in the units of the amplitude.
    pub output: Out<Dyn>,
    amplitude: Vec<f64>,
    frequencies: [f64; 2],
    duration: f64,
    ports: Ports,
}

impl Chirp {
    /// `width` waves, amplitude one for all or one each, from one angular frequency to another \[rad/s\] within
    /// `duration` \[s\].
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, or a duration that is not positive.
    pub fn new(
        width: usize,
        amplitude: impl Into<PerChannel>,
        frequencies: [f64; 2],
        duration: f64,
    ) -> Result<Self, ParameterError> {
        let amplitude = amplitude.into().expand("amplitude", width)?;
        parameter::finite("frequencies", &frequencies)?;
        parameter::finite("duration", &[duration])?;
        parameter::positive("duration", &[duration])?;
        let mut ports = Ports::new();
        Ok(Chirp { output: ports.output_of_width("output", width), amplitude, frequencies, duration, ports })
    }
}

impl LeafSystem for Chirp {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let ([first, last], t, duration) = (self.frequencies, ctx.time, S::constant(self.duration));
        let (start, change) = (S::constant(first), S::constant(0.5 * (last - first)));
        let phase = if t < S::zero() {
            start * t
        } else if t <= duration {
            start * t + change * t * t / duration
        } else {
            S::constant(last) * t - change * duration
        };
        for (y, &amplitude) in out.slice(self.output).iter_mut().zip(&self.amplitude) {
            *y = S::constant(amplitude) * phase.sin();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};
    use std::f64::consts::PI;

    #[test]
    fn conforms() {
        conformance::check(&Chirp::new(2, [1.0, -2.0], [1.0, 9.0], 1.5).unwrap());
    }

    #[test]
    fn counts_the_turns_of_the_mean_frequency() {
        // From 1 to 3 turns per second in 2 s: at T, (1 + 3)/2 * 2 = 4 turns; half way in time 1.5 turns.
        let chirp = Chirp::new(1, 2.0, [2.0 * PI, 6.0 * PI], 2.0).unwrap();
        let at = |time: f64| Bench::new(&chirp).time(time).eval(chirp.output)[0];
        assert!(at(2.0).abs() < 1e-13 && at(1.0).abs() < 1e-13);
        // Then 3 turns per second: a twelfth of a second is a quarter turn.
        assert!((at(2.0 + 1.0 / 12.0) - 2.0).abs() < 1e-13);
        // Before, 1 turn per second.
        assert!((at(-0.25) + 2.0).abs() < 1e-13);
    }

    #[test]
    fn refuses_no_time() {
        let fault = Chirp::new(1, 1.0, [1.0, 2.0], 0.0).err().unwrap();
        assert_eq!(fault.to_string(), "duration[0] is 0, expected a number above 0");
    }
}
