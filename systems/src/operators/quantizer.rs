//! Rounding to a grid.

use crate::parameter::{self, ParameterError, PerChannel};
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = interval round(input / interval)`, element by element (halves away from zero).
///
/// The output is a staircase: its derivative is zero, as it is between any two jumps, so a controller behind a
/// quantizer looks open to linearization; linearize with [`WithDerivatives`](crate::WithDerivatives) or without the
/// block where the average slope 1 is wanted. Jumps are no events. Best put behind a sampled signal, where they
/// coincide with samples.
pub struct Quantizer {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    interval: Vec<f64>,
    ports: Ports,
}

impl Quantizer {
    /// A quantizer of `width` elements, interval (in units of the input) one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, or an interval that is not positive and finite.
    pub fn new(width: usize, interval: impl Into<PerChannel>) -> Result<Self, ParameterError> {
        let interval = interval.into().expand("interval", width)?;
        parameter::positive("interval", &interval)?;
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        Ok(Quantizer { input, output, interval, ports })
    }
}

impl LeafSystem for Quantizer {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for ((y, &u), &q) in out.slice(self.output).iter_mut().zip(ctx.get(self.input)).zip(&self.interval) {
            *y = S::constant(q * (u.value() / q).round());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&Quantizer::new(5, 0.1).unwrap());
    }

    #[test]
    fn rounds_to_the_nearest_multiple() {
        let grid = Quantizer::new(4, [0.5, 0.5, 0.25, 2.0]).unwrap();
        let bench = Bench::new(&grid).input(grid.input, [0.7, -0.8, 0.125, 0.9]);
        assert_eq!(bench.eval(grid.output), [0.5, -1.0, 0.25, 0.0]);
    }

    #[test]
    fn refuses_no_interval() {
        let fault = Quantizer::new(1, 0.0).err().unwrap();
        assert_eq!(fault.to_string(), "interval[0] is 0, expected a number above 0");
    }
}
