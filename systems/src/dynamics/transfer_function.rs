//! A transfer function in continuous time.

use super::linear::Linear;
use super::state_space::StateSpace;
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `Y(s)/U(s) = numerator / denominator`, both polynomials in s by falling powers: `[1, 2]` is s + 2. One input, one
/// output, at rest at zero.
///
/// The function must be proper (numerator of no higher degree). It is realized in controllable canonical form, whose
/// coefficients span many orders of magnitude if the degree is high: beyond about 10, use a [`StateSpace`] in better
/// coordinates.
pub struct TransferFunction {
    /// u, width 1.
    pub input: In<Dyn>,
    /// y, width 1.
    pub output: Out<Dyn>,
    dc_gain: f64,
    system: StateSpace,
}

impl TransferFunction {
    /// The function with these coefficients.
    ///
    /// # Errors
    /// An empty list, a leading coefficient of the denominator that is zero, a numerator of higher degree than the
    /// denominator, a number that is not finite.
    pub fn new(numerator: &[f64], denominator: &[f64]) -> Result<Self, ParameterError> {
        let linear = Linear::canonical(numerator, denominator)?;
        let dc_gain = numerator[numerator.len() - 1] / denominator[denominator.len() - 1];
        let n = linear.A.nrows();
        let system = StateSpace::of(linear, vec![0.0; n])?;
        Ok(TransferFunction { input: system.input, output: system.output, dc_gain, system })
    }

    /// The value at s = 0: the limit for a constant input of 1 if the system is stable; infinite for an integrating
    /// system.
    pub fn dc_gain(&self) -> f64 {
        self.dc_gain
    }
}

impl LeafSystem for TransferFunction {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        LeafSystem::ports(&self.system)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.system.outputs(ctx, out);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        self.system.derivatives(ctx, derivatives);
    }
}
