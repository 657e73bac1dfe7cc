//! A linear system in continuous time.

use super::linear::Linear;
use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::DMatrix;

/// `ẋ = A x + B u`, `y = C x + D u`, with n states, m inputs and p outputs.
///
/// If D is zero, the output depends on the state only and the block breaks algebraic loops.
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
    kinegraph_core::compiled_here!();

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
