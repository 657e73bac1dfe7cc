//! A sine wave whose frequency changes.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar, TimeVariation};

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
    /// Waves of `width` channels, with amplitude one for all or one each, from one angular frequency to another
    /// \[rad/s\] within `duration` \[s\].
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
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, times: (f64, f64)) -> TimeVariation {
        let [first, last] = self.frequencies;
        let at = |time: f64| first + (last - first) * (time / self.duration).clamp(0.0, 1.0);
        TimeVariation::of_frequency(at(times.0).abs().max(at(times.1).abs()))
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
