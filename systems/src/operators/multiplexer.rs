//! Several signals into one.

use crate::parameter::ParameterError;
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = (input0, input1, …)`, one after the other.
pub struct Multiplexer {
    /// The parts.
    pub inputs: Vec<In<Dyn>>,
    /// All of them; its width is the sum of theirs.
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
        Ok(Multiplexer {
            inputs: inputs.collect(),
            output: ports.output_of_width("output", widths.iter().sum()),
            ports,
        })
    }
}

impl LeafSystem for Multiplexer {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&Multiplexer::new(&[2, 1, 3]).unwrap());
    }

    #[test]
    fn joins_in_order() {
        let join = Multiplexer::new(&[2, 1]).unwrap();
        let bench = Bench::new(&join).input(join.inputs[0], [1.0, 2.0]).input(join.inputs[1], [3.0]);
        assert_eq!(bench.eval(join.output), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn refuses_to_join_nothing() {
        assert_eq!(Multiplexer::new(&[]).err().unwrap().to_string(), "widths is empty");
    }
}
