//! A sign that changes smoothly.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = input / √(input² + scale²)`, element by element: near ±1 far from zero, `input/scale` near zero.
pub struct SoftSign {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    scale: f64,
    ports: Ports,
}

impl SoftSign {
    /// A soft sign of `width` elements.
    ///
    /// # Errors
    /// A scale that is not a positive number.
    pub fn new(width: usize, scale: f64) -> Result<Self, ParameterError> {
        parameter::finite("scale", &[scale])?;
        parameter::positive("scale", &[scale])?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", width);
        Ok(SoftSign { input, output: ports.output_of_width("output", width), scale, ports })
    }
}

impl LeafSystem for SoftSign {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &u) in out.slice(self.output).iter_mut().zip(ctx.get(self.input)) {
            *y = u / (u * u + S::constant(self.scale * self.scale)).sqrt();
        }
    }
}
