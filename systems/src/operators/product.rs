//! Products and quotients.

use kinegraph_core::parameter::ParameterError;
use kinegraph_core::unit::Dimension;
use kinegraph_core::unit_rules::UnitRule;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Role of an input of a [`Product`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Multiplies by it.
    Multiply,
    /// Divides by it.
    Divide,
}

/// `output = Π inputᵢ^±1`, element by element; the ports are named `input0`, `input1`, … Division by zero gives no
/// finite number.
pub struct Product {
    /// The factors and divisors, each of width n.
    pub inputs: Vec<In<Dyn>>,
    /// Width n.
    pub output: Out<Dyn>,
    factors: Vec<Factor>,
    ports: Ports,
}

impl Product {
    /// A product of as many inputs as there are `factors`, each of the given width.
    ///
    /// # Errors
    /// No factors.
    pub fn new(width: usize, factors: impl Into<Vec<Factor>>) -> Result<Self, ParameterError> {
        let factors = factors.into();
        if factors.is_empty() {
            return Err(ParameterError::Empty { parameter: "factors".into() });
        }
        let mut ports = Ports::new();
        let inputs: Vec<In<Dyn>> =
            (0..factors.len()).map(|i| ports.input_of_width(format!("input{i}"), width)).collect();
        let output = ports.output_of_width("output", width);
        let power = |factor: &Factor| if *factor == Factor::Multiply { 1 } else { -1 };
        ports.unit_rule(UnitRule::Product {
            output: output.index,
            factor: vec![Some(Dimension::ONE)],
            inputs: factors.iter().map(power).enumerate().collect(),
        });
        Ok(Product { inputs, output, factors, ports })
    }
}

impl LeafSystem for Product {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let product = out.slice(self.output);
        product.fill(S::one());
        for (&input, &factor) in self.inputs.iter().zip(&self.factors) {
            for (y, &u) in product.iter_mut().zip(ctx.get(input)) {
                *y = if factor == Factor::Multiply { *y * u } else { *y / u };
            }
        }
    }
}
