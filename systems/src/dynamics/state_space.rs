//! A linear system in continuous time.

use super::linear::Linear;
use crate::parameter::{self, ParameterError};
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::DMatrix;

/// `ẋ = A x + B u`, `y = C x + D u`, with n states, m inputs and p outputs.
///
/// Where D is zero, the output depends on the state only and the block breaks algebraic loops.
pub struct StateSpace {
    /// u, width m.
    pub input: In<Dyn>,
    /// y, width p.
    pub output: Out<Dyn>,
    linear: Linear,
    ports: Ports,
}

impl StateSpace {
    /// A system that starts at `initial`. A is n x n, B is n x m, C is p x n, D is p x m.
    ///
    /// # Errors
    /// Sizes that do not fit, a number that is not finite.
    pub fn new(
        A: DMatrix<f64>,
        B: DMatrix<f64>,
        C: DMatrix<f64>,
        D: DMatrix<f64>,
        initial: impl Into<Vec<f64>>,
    ) -> Result<Self, ParameterError> {
        Self::of(Linear::new(A, B, C, D)?, initial.into())
    }

    pub(super) fn of(linear: Linear, initial: Vec<f64>) -> Result<Self, ParameterError> {
        parameter::size("initial", initial.len(), linear.A.nrows())?;
        parameter::finite("initial", &initial)?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", linear.D.ncols());
        let output = ports.output_of_width("output", linear.D.nrows());
        if linear.D.iter().all(|&d| d == 0.0) {
            ports.no_feedthrough(output);
        }
        if !initial.is_empty() {
            ports.continuous_state("x", initial);
        }
        Ok(StateSpace { input, output, linear, ports })
    }
}

impl LeafSystem for StateSpace {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.linear.output(ctx.continuous, ctx.get(self.input), out.slice(self.output));
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        self.linear.next(ctx.continuous, ctx.get(self.input), derivatives);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    fn matrix(rows: usize, columns: usize, values: &[f64]) -> DMatrix<f64> {
        DMatrix::from_row_slice(rows, columns, values)
    }

    fn oscillator(d: f64) -> StateSpace {
        let (A, B) = (matrix(2, 2, &[0.0, 1.0, -4.0, -0.5]), matrix(2, 1, &[0.0, 2.0]));
        let (C, D) = (matrix(3, 2, &[1.0, 0.0, 0.0, 1.0, 1.0, 1.0]), matrix(3, 1, &[0.0, d, 0.0]));
        StateSpace::new(A, B, C, D, [0.5, -0.5]).unwrap()
    }

    #[test]
    fn conforms() {
        conformance::check(&oscillator(0.0));
        conformance::check(&oscillator(1.0));
    }

    #[test]
    fn is_the_matrices() {
        let system = oscillator(3.0);
        let bench = Bench::new(&system).input(system.input, [5.0]).state([1.0, 2.0]);
        assert_eq!(bench.derivatives(), [2.0, -4.0 - 1.0 + 10.0]);
        assert_eq!(bench.eval(system.output), [1.0, 2.0 + 15.0, 3.0]);
    }

    #[test]
    fn breaks_loops_only_without_direct_term() {
        let strict = oscillator(0.0);
        // Without a value at its input.
        assert_eq!(Bench::new(&strict).eval(strict.output), [0.5, -0.5, 0.0]);
        assert!(oscillator(1.0).ports.outputs()[0].feedthrough.contains(0));
    }

    #[test]
    fn names_the_matrix_that_does_not_fit() {
        let one = || DMatrix::from_element(1, 1, 1.0);
        let fault = |A, B, C, D| StateSpace::new(A, B, C, D, [0.0]).err().unwrap().to_string();
        assert_eq!(fault(DMatrix::zeros(1, 2), one(), one(), one()), "A is 1 x 2, expected 1 x 1");
        assert_eq!(fault(one(), DMatrix::zeros(2, 1), one(), one()), "B is 2 x 1, expected 1 x 1");
        assert_eq!(fault(one(), one(), DMatrix::zeros(3, 2), one()), "C is 3 x 2, expected 3 x 1");
        assert_eq!(fault(one(), one(), one(), DMatrix::zeros(1, 2)), "D is 1 x 2, expected 1 x 1");
        assert_eq!(fault(one(), one() * f64::NAN, one(), one()), "B[0][0] is NaN, expected a finite number");
    }
}
