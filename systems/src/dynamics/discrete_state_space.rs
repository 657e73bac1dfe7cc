//! A linear system in discrete time.

use super::linear::Linear;
use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::DMatrix;

/// At every event `yₖ = C xₖ + D uₖ`, then `xₖ₊₁ = A xₖ + B uₖ`, with the input uₖ just before the event; the output
/// holds yₖ up to the next event.
///
/// The output changes at events only, even if D is not zero: the block breaks algebraic loops.
pub struct DiscreteStateSpace {
    /// u, width m.
    pub input: In<Dyn>,
    /// y, width p.
    pub output: Out<Dyn>,
    linear: Linear,
    ports: Ports,
}

impl DiscreteStateSpace {
    /// A system that starts at `initial`, its output at zero up to the first event. A is n x n, B is n x m, C is p x n,
    /// D is p x m.
    ///
    /// # Errors
    /// Sizes that do not fit, a number that is not finite, a period that is not positive, a negative offset.
    pub fn new(
        A: DMatrix<f64>,
        B: DMatrix<f64>,
        C: DMatrix<f64>,
        D: DMatrix<f64>,
        initial: impl Into<Vec<f64>>,
        sampling: Sampling,
    ) -> Result<Self, ParameterError> {
        Self::of(Linear::new(A, B, C, D)?, initial.into(), sampling)
    }

    pub(super) fn of(linear: Linear, initial: Vec<f64>, sampling: Sampling) -> Result<Self, ParameterError> {
        let sampling = parameter::sampling(sampling)?;
        parameter::size("initial", initial.len(), linear.A.nrows())?;
        parameter::finite("initial", &initial)?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", linear.D.ncols());
        let output = ports.output_of_width("output", linear.D.nrows());
        ports.no_feedthrough(output);
        ports.periodic(sampling);
        ports.discrete_state("y", vec![0.0; linear.D.nrows()]);
        ports.discrete_state("x", initial);
        Ok(DiscreteStateSpace { input, output, linear, ports })
    }
}

impl LeafSystem for DiscreteStateSpace {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &held) in out.slice(self.output).iter_mut().zip(ctx.discrete) {
            *y = S::constant(held);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let (u, p) = (ctx.get(self.input), self.linear.D.nrows());
        let x = &ctx.discrete[p..];
        let (y, next) = next.split_at_mut(p);
        self.linear.output(x, u, y);
        self.linear.next(x, u, next);
    }
}
