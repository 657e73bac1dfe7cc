//! Multiplication by a constant matrix.

use crate::parameter::{self, ParameterError};
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};
    use nalgebra::DMatrix;

    #[test]
    fn conforms() {
        conformance::check(&MatrixGain::new(vec![vec![1.0, -2.0, 0.5]; 4]).unwrap());
    }

    #[test]
    fn multiplies_by_its_matrix() {
        let gain = MatrixGain::new(vec![vec![1.0, 2.0, 3.0], vec![0.0, -1.0, 4.0]]).unwrap();
        let bench = Bench::new(&gain).input(gain.input, [1.0, 10.0, 100.0]);
        assert_eq!(bench.eval(gain.output), [321.0, 390.0]);
        let expected = DMatrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 0.0, -1.0, 4.0]);
        assert_eq!(bench.jacobian(gain.input, gain.output), expected);
    }

    #[test]
    fn refuses_what_is_no_matrix() {
        assert_eq!(MatrixGain::new(vec![]).err().unwrap().to_string(), "matrix is empty");
        let fault = MatrixGain::new(vec![vec![1.0, 2.0], vec![1.0]]).err().unwrap();
        assert_eq!(fault.to_string(), "matrix[1] has 1 elements, expected 2");
    }
}
