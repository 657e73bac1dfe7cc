//! A sine wave.

use kinegraph_core::parameter::{ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar, TimeVariation};

/// `output = offset + amplitude sin(frequency t + phase)`, with its rate of change.
pub struct Sine {
    /// The wave, width n.
    pub output: Out<Dyn>,
    /// d output/dt, width n \[1/s\].
    pub rate: Out<Dyn>,
    /// The wave, then its rate; width 2n.
    pub state: Out<MultibodyState>,
    waves: Vec<Wave>,
    ports: Ports,
}

struct Wave {
    amplitude: f64,
    frequency: f64,
    phase: f64,
    offset: f64,
}

impl Sine {
    /// `width` waves: amplitude, angular frequency \[rad/s\], phase \[rad\] and offset, each one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, or a number that is not finite.
    pub fn new(
        width: usize,
        amplitude: impl Into<PerChannel>,
        frequency: impl Into<PerChannel>,
        phase: impl Into<PerChannel>,
        offset: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let amplitude = amplitude.into().expand("amplitude", width)?;
        let frequency = frequency.into().expand("frequency", width)?;
        let (phase, offset) = (phase.into().expand("phase", width)?, offset.into().expand("offset", width)?);
        let wave =
            |i: usize| Wave { amplitude: amplitude[i], frequency: frequency[i], phase: phase[i], offset: offset[i] };
        let mut ports = Ports::new();
        Ok(Sine {
            output: ports.output_of_width("output", width),
            rate: ports.output_of_width("rate", width),
            state: ports.output_of_width("state", 2 * width),
            waves: (0..width).map(wave).collect(),
            ports,
        })
    }
}

impl LeafSystem for Sine {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        let frequencies = self.waves.iter().filter(|wave| wave.amplitude != 0.0).map(|wave| wave.frequency.abs());
        TimeVariation::of_frequency(frequencies.fold(0.0, f64::max))
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (i, wave) in self.waves.iter().enumerate() {
            let (amplitude, frequency) = (S::constant(wave.amplitude), S::constant(wave.frequency));
            let (sin, cos) = (frequency * ctx.time + S::constant(wave.phase)).sin_cos();
            let (y, rate) = (S::constant(wave.offset) + amplitude * sin, amplitude * frequency * cos);
            out.slice(self.output)[i] = y;
            out.slice(self.rate)[i] = rate;
            out.slice(self.state)[i] = y;
            out.slice(self.state)[self.waves.len() + i] = rate;
        }
    }
}
