//! A notch filter.

use super::section::Section;
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `(s² + 2 d ζ ω s + ω²)/(s² + 2 ζ ω s + ω²)` for n channels: signals of the frequency ω are multiplied by the depth
/// d, those far from it pass, constant ones exactly.
///
/// The damping ratio ζ is half of the width of the notch, relative to ω: where the gain of a full notch (d = 0) is
/// below 1/√2, the band is 2 ζ ω wide. A gain of d = 2 is a peak.
pub struct Notch {
    /// u, width n.
    pub input: In<Dyn>,
    /// y, width n.
    pub output: Out<Dyn>,
    sections: Vec<Section>,
    ports: Ports,
}

impl Notch {
    /// Notches of `width` channels at rest at zero; frequencies \[rad/s\], damping ratios and depths one for all or one
    /// each.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a frequency or a damping ratio that is not
    /// positive, a negative depth.
    pub fn new(
        width: usize,
        frequency: impl Into<PerChannel>,
        damping_ratio: impl Into<PerChannel>,
        depth: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let frequency = frequency.into().expand("frequency", width)?;
        let damping_ratio = damping_ratio.into().expand("damping_ratio", width)?;
        let depth = depth.into().expand("depth", width)?;
        parameter::positive("frequency", &frequency)?;
        parameter::positive("damping_ratio", &damping_ratio)?;
        parameter::within("depth", &depth, "a number that is not negative", |d| d >= 0.0)?;
        let section = |i: usize| Section {
            frequency: frequency[i],
            damping_ratio: Some(damping_ratio[i]),
            numerator: [1.0, 2.0 * depth[i] * damping_ratio[i], 1.0],
        };
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        ports.continuous_state("x", vec![0.0; 2 * width]);
        ports.units_alike([input], output);
        Ok(Notch { input, output, sections: (0..width).map(section).collect(), ports })
    }
}

impl LeafSystem for Notch {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let channels = self.sections.iter().zip(ctx.continuous.chunks_exact(2)).zip(ctx.get(self.input));
        for (y, ((section, x), &u)) in out.slice(self.output).iter_mut().zip(channels) {
            *y = section.output(x, u);
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let channels = self.sections.iter().zip(ctx.continuous.chunks_exact(2)).zip(ctx.get(self.input));
        for (rates, ((section, x), &u)) in derivatives.chunks_exact_mut(2).zip(channels) {
            section.rates(x, u, rates);
        }
    }
}
