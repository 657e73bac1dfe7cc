//! A sign that changes smoothly.

use crate::parameter::{self, ParameterError};
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

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
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &u) in out.slice(self.output).iter_mut().zip(ctx.get(self.input)) {
            *y = u / (u * u + S::constant(self.scale * self.scale)).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&SoftSign::new(9, 0.5).unwrap());
    }

    #[test]
    fn is_odd_and_bounded() {
        let block = SoftSign::new(3, 4.0).unwrap();
        let found = Bench::new(&block).input(block.input, [3.0, -3.0, 1e9]).eval(block.output);
        assert_eq!(found, [0.6, -0.6, 1.0]);
    }

    #[test]
    fn refuses_a_scale_that_is_not_positive() {
        assert!(SoftSign::new(1, 0.0).is_err() && SoftSign::new(1, f64::NAN).is_err());
    }
}
