//! Rounding to a grid.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = interval round(input / interval)`, element by element (halves away from zero).
///
/// The output is a staircase: its derivative is zero, as between any two jumps, so that a loop through a quantizer
/// looks open to linearization. If the average slope 1 is wanted, linearize with
/// [`WithDerivatives`](kinegraph_core::WithDerivatives) or without the block. Jumps are no events. A quantizer is best
/// placed behind a sampled signal, whose samples coincide with the jumps.
pub struct Quantizer {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    interval: Vec<f64>,
    ports: Ports,
}

impl Quantizer {
    /// A quantizer of `width` elements, with intervals (in units of the input) one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, or an interval that is not positive and finite.
    pub fn new(width: usize, interval: impl Into<PerChannel>) -> Result<Self, ParameterError> {
        let interval = interval.into().expand("interval", width)?;
        parameter::positive("interval", &interval)?;
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        ports.units_alike([input], output);
        Ok(Quantizer { input, output, interval, ports })
    }
}

impl LeafSystem for Quantizer {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn next_level(&self, _input: usize, element: usize, way: (f64, f64)) -> Option<f64> {
        let interval = self.interval[element];
        Some(interval * super::elementary::next_step(0.5, (way.0 / interval, way.1 / interval))?)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for ((y, &u), &q) in out.slice(self.output).iter_mut().zip(ctx.get(self.input)).zip(&self.interval) {
            *y = S::constant(q * (u.value() / q).round());
        }
    }
}
