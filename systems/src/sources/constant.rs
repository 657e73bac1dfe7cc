//! A constant vector.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar, TimeVariation};

/// `output = value` at all times.
pub struct Constant {
    /// The value (width and units of the parameter).
    pub output: Out<Dyn>,
    value: Vec<f64>,
    ports: Ports,
}

impl Constant {
    /// A source of `value`.
    ///
    /// # Errors
    /// An element that is not finite.
    pub fn new(value: impl Into<Vec<f64>>) -> Result<Self, ParameterError> {
        let value = value.into();
        parameter::finite("value", &value)?;
        let mut ports = Ports::new();
        Ok(Constant { output: ports.output_of_width("output", value.len()), value, ports })
    }
}

impl LeafSystem for Constant {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        TimeVariation::Steady
    }

    fn outputs<S: Scalar>(&self, _ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &value) in out.slice(self.output).iter_mut().zip(&self.value) {
            *y = S::constant(value);
        }
    }
}
