//! No response to small signals.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = input - upper` above `upper`, `input - lower` below `lower`, zero between, element by element.
///
/// The output is continuous with a kink at each bound; at the bound itself the derivative is that of the inside (0).
pub struct DeadZone {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    ports: Ports,
}

impl DeadZone {
    /// A dead zone for `width` elements, its bounds one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, or a lower bound that is not below the upper one.
    pub fn new(
        width: usize,
        lower: impl Into<PerChannel>,
        upper: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let (lower, upper) = (lower.into().expand("lower", width)?, upper.into().expand("upper", width)?);
        parameter::bounds(parameter::named("lower", &lower), parameter::named("upper", &upper))?;
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        ports.units_alike([input], output);
        Ok(DeadZone { input, output, lower, upper, ports })
    }
}

impl LeafSystem for DeadZone {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn kinks(&self, ctx: &Context<f64>, see: &mut dyn FnMut(f64)) {
        for ((u, lower), upper) in ctx.get(self.input).iter().zip(&self.lower).zip(&self.upper) {
            see(u - lower);
            see(u - upper);
        }
    }

    fn next_level(&self, _input: usize, element: usize, way: (f64, f64)) -> Option<f64> {
        super::elementary::next_bound([self.lower[element], self.upper[element]], way)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let input = ctx.get(self.input);
        for (i, y) in out.slice(self.output).iter_mut().enumerate() {
            let (u, lower, upper) = (input[i], S::constant(self.lower[i]), S::constant(self.upper[i]));
            *y = if u < lower {
                u - lower
            } else if u > upper {
                u - upper
            } else {
                S::zero()
            };
        }
    }
}
