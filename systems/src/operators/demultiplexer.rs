//! Splitting of a signal into several.

use kinegraph_core::parameter::ParameterError;
use kinegraph_core::unit_rules::UnitRule;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `(output0, output1, …) = input`, one after the other.
pub struct Demultiplexer {
    /// Its width is the sum of the outputs' widths.
    pub input: In<Dyn>,
    /// The parts.
    pub outputs: Vec<Out<Dyn>>,
    ports: Ports,
}

impl Demultiplexer {
    /// Splits into outputs of these widths.
    ///
    /// # Errors
    /// No widths.
    pub fn new(widths: &[usize]) -> Result<Self, ParameterError> {
        if widths.is_empty() {
            return Err(ParameterError::Empty { parameter: "widths".into() });
        }
        let mut ports = Ports::new();
        let outputs = widths.iter().enumerate().map(|(i, &width)| ports.output_of_width(format!("output{i}"), width));
        let outputs: Vec<Out<Dyn>> = outputs.collect();
        let input = ports.input_of_width("input", widths.iter().sum());
        let mut first = 0;
        for (output, width) in outputs.iter().zip(widths) {
            let from = (first..first + width).map(|place| Some((input.index, place))).collect();
            ports.unit_rule(UnitRule::Gather { output: output.index, from });
            first += width;
        }
        Ok(Demultiplexer { outputs, input, ports })
    }
}

impl LeafSystem for Demultiplexer {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let mut rest = ctx.get(self.input);
        for &output in &self.outputs {
            let part = out.slice(output);
            let (first, others) = rest.split_at(part.len());
            part.copy_from_slice(first);
            rest = others;
        }
    }
}
