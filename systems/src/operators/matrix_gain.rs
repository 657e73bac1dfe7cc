//! Multiplication by a constant matrix.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = D input`, with a constant m × n matrix D.
pub struct MatrixGain {
    /// Width n.
    pub input: In<Dyn>,
    /// Width m.
    pub output: Out<Dyn>,
    rows: Vec<Vec<f64>>,
    ports: Ports,
}

impl MatrixGain {
    /// A gain by the matrix with these rows.
    ///
    /// # Errors
    /// No rows, rows of different lengths, or an element that is not finite.
    pub fn new(rows: Vec<Vec<f64>>) -> Result<Self, ParameterError> {
        let Some(width) = rows.first().map(Vec::len) else {
            return Err(ParameterError::Empty { parameter: "matrix".into() });
        };
        for (i, row) in rows.iter().enumerate() {
            let name = format!("matrix[{i}]");
            parameter::size(&name, row.len(), width)?;
            parameter::finite(&name, row)?;
        }
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", rows.len()));
        Ok(MatrixGain { input, output, rows, ports })
    }
}

impl LeafSystem for MatrixGain {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let input = ctx.get(self.input);
        for (y, row) in out.slice(self.output).iter_mut().zip(&self.rows) {
            *y = row.iter().zip(input).fold(S::zero(), |sum, (&d, &u)| sum + S::constant(d) * u);
        }
    }
}
