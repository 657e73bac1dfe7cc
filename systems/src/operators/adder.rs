//! Sums and differences.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = Σ signᵢ inputᵢ`; the ports are named `input0`, `input1`, …
pub struct Adder {
    /// The terms, each of width n.
    pub inputs: Vec<In<Dyn>>,
    /// Sum, width n.
    pub output: Out<Dyn>,
    signs: Vec<f64>,
    ports: Ports,
}

impl Adder {
    /// A sum of as many terms as there are signs (usually 1 or -1; any factor will do), each of the given width.
    ///
    /// # Errors
    /// No signs, or one that is not finite.
    pub fn new(width: usize, signs: impl Into<Vec<f64>>) -> Result<Self, ParameterError> {
        let signs = signs.into();
        if signs.is_empty() {
            return Err(ParameterError::Empty { parameter: "signs".into() });
        }
        parameter::finite("signs", &signs)?;
        let mut ports = Ports::new();
        let inputs: Vec<In<Dyn>> = (0..signs.len()).map(|i| ports.input_of_width(format!("input{i}"), width)).collect();
        let output = ports.output_of_width("output", width);
        // Any other factor may convert the unit.
        let plain = inputs.iter().zip(&signs).filter(|(_, sign)| sign.abs() == 1.0);
        ports.units_alike(plain.map(|(input, _)| *input), output);
        Ok(Adder { inputs, output, signs, ports })
    }
}

impl LeafSystem for Adder {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let sum = out.slice(self.output);
        sum.fill(S::zero());
        for (&input, &sign) in self.inputs.iter().zip(&self.signs) {
            for (y, &u) in sum.iter_mut().zip(ctx.get(input)) {
                *y += S::constant(sign) * u;
            }
        }
    }
}
