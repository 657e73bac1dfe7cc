//! A function given by its values at some arguments.

mod curve;

pub use curve::{Beyond, Interpolation};
pub(crate) use curve::{hermite, natural_slopes};

use curve::Curve;
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = f(input)`, element by element, with f interpolated between the points (`arguments[i]`, `values[i]`).
///
/// A linear table has kinks at its points, a cubic one is smooth. (A table over time is a
/// [`Trajectory`](crate::sources::Trajectory) or a [`PiecewisePolynomial`](crate::sources::PiecewisePolynomial).)
pub struct Table {
    /// Width n, in the units of the arguments.
    pub input: In<Dyn>,
    /// Width n, in the units of the values.
    pub output: Out<Dyn>,
    curve: Curve,
    ports: Ports,
}

impl Table {
    /// A table that is applied to each of `width` elements.
    ///
    /// # Errors
    /// Fewer than two points, lists of different lengths, arguments that do not increase, numbers that are not finite.
    pub fn new(
        width: usize,
        arguments: Vec<f64>,
        values: Vec<f64>,
        interpolation: Interpolation,
        beyond: Beyond,
    ) -> Result<Self, ParameterError> {
        let curve = Curve::new(arguments, values, interpolation, beyond)?;
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        Ok(Table { input, output, curve, ports })
    }
}

impl LeafSystem for Table {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn next_level(&self, _input: usize, _element: usize, way: (f64, f64)) -> Option<f64> {
        self.curve.next_knot(way)
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &u) in out.slice(self.output).iter_mut().zip(ctx.get(self.input)) {
            *y = self.curve.at(u);
        }
    }
}
