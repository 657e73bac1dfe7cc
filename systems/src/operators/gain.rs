//! Multiplication by constants.

use kinegraph_core::parameter::{ParameterError, PerChannel};
use kinegraph_core::unit::Dimension;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = gain input`, element by element.
pub struct Gain {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    gain: Vec<f64>,
    ports: Ports,
}

impl Gain {
    /// A gain on `width` elements, one for all or one each.
    ///
    /// # Errors
    /// A list of gains that is not `width` long, or a gain that is not finite.
    pub fn new(width: usize, gain: impl Into<PerChannel>) -> Result<Self, ParameterError> {
        let gain = gain.into().expand("gain", width)?;
        let mut ports = Ports::new();
        Ok(Gain {
            input: ports.input_of_width("input", width),
            output: ports.output_of_width("output", width),
            gain,
            ports,
        })
    }

    /// States the units of the gain, one for all elements or one each: the unit of the output is that of the input
    /// times it. Without them, the output may have any unit.
    pub fn in_units(mut self, units: Vec<Option<Dimension>>) -> Self {
        self.ports.units_times(self.output, self.input, units);
        self
    }
}

impl LeafSystem for Gain {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for ((y, &u), &gain) in out.slice(self.output).iter_mut().zip(ctx.get(self.input)).zip(&self.gain) {
            *y = S::constant(gain) * u;
        }
    }
}
