//! A lead-lag compensator.

use super::section::Section;
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `gain (1 + lead s)/(1 + lag s)` for n channels: it advances the phase where the lead time is longer than the lag
/// time, and delays it where it is shorter.
///
/// The phase is advanced most, by `asin((lead - lag)/(lead + lag))`, at the frequency `1/√(lead lag)`. Constant signals
/// have the gain exactly, fast ones `gain lead/lag`.
pub struct LeadLag {
    /// u, width n.
    pub input: In<Dyn>,
    /// y, width n.
    pub output: Out<Dyn>,
    sections: Vec<Section>,
    ports: Ports,
}

impl LeadLag {
    /// Compensators of `width` channels at rest at zero; lead and lag times \[s\] and gains one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a negative lead time, a lag time that is not
    /// positive.
    pub fn new(
        width: usize,
        lead: impl Into<PerChannel>,
        lag: impl Into<PerChannel>,
        gain: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let (lead, lag) = (lead.into().expand("lead", width)?, lag.into().expand("lag", width)?);
        let gain = gain.into().expand("gain", width)?;
        parameter::within("lead", &lead, "a number that is not negative", |time| time >= 0.0)?;
        parameter::positive("lag", &lag)?;
        let section = |i: usize| Section {
            frequency: 1.0 / lag[i],
            damping_ratio: None,
            numerator: [gain[i], gain[i] * (lead[i] / lag[i]), 0.0],
        };
        let sections: Vec<Section> = (0..width).map(section).collect();
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        if !sections.iter().any(Section::has_feedthrough) {
            ports.no_feedthrough(output);
        }
        ports.continuous_state("x", vec![0.0; width]);
        Ok(LeadLag { input, output, sections, ports })
    }
}

impl LeafSystem for LeadLag {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let u = ctx.get(self.input);
        for (i, y) in out.slice(self.output).iter_mut().enumerate() {
            *y = self.sections[i].output(&ctx.continuous[i..=i], u[i]);
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let u = ctx.get(self.input);
        for (i, section) in self.sections.iter().enumerate() {
            section.rates(&ctx.continuous[i..=i], u[i], &mut derivatives[i..=i]);
        }
    }
}
