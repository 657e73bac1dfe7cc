//! Joining of several signals into one.

use kinegraph_core::parameter::ParameterError;
use kinegraph_core::unit_rules::UnitRule;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = (input0, input1, …)`, one after the other.
pub struct Multiplexer {
    /// The parts.
    pub inputs: Vec<In<Dyn>>,
    /// All parts in order; its width is the sum of theirs.
    pub output: Out<Dyn>,
    ports: Ports,
}

impl Multiplexer {
    /// Joins inputs of these widths.
    ///
    /// # Errors
    /// No widths.
    pub fn new(widths: &[usize]) -> Result<Self, ParameterError> {
        if widths.is_empty() {
            return Err(ParameterError::Empty { parameter: "widths".into() });
        }
        let mut ports = Ports::new();
        let inputs = widths.iter().enumerate().map(|(i, &width)| ports.input_of_width(format!("input{i}"), width));
        let inputs = inputs.collect();
        let output = ports.output_of_width("output", widths.iter().sum());
        let from = widths.iter().enumerate().flat_map(|(i, &width)| (0..width).map(move |place| Some((i, place))));
        ports.unit_rule(UnitRule::Gather { output: output.index, from: from.collect() });
        Ok(Multiplexer { inputs, output, ports })
    }
}

impl LeafSystem for Multiplexer {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let parts = self.inputs.iter().flat_map(|&input| ctx.get(input));
        for (y, &u) in out.slice(self.output).iter_mut().zip(parts) {
            *y = u;
        }
    }
}
