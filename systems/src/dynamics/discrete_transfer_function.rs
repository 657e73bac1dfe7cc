//! A transfer function in discrete time.

use super::discrete_state_space::DiscreteStateSpace;
use super::linear::Linear;
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `Y(z)/U(z) = numerator / denominator`, both polynomials in z by falling powers: `[1, -0.5]` is z - 0.5. One input,
/// one output, at rest at zero.
///
/// With denominator `zⁿ + a₁ zⁿ⁻¹ + …` and numerator `b₀ zⁿ + b₁ zⁿ⁻¹ + …` it is the difference equation
/// `yₖ = b₀ uₖ + b₁ uₖ₋₁ + … - a₁ yₖ₋₁ - …`, computed at every event from the input just before it and held up to the
/// next. The function must be proper (numerator of no higher degree).
pub struct DiscreteTransferFunction {
    /// u, width 1.
    pub input: In<Dyn>,
    /// y, width 1.
    pub output: Out<Dyn>,
    dc_gain: f64,
    system: DiscreteStateSpace,
}

impl DiscreteTransferFunction {
    /// The function with these coefficients.
    ///
    /// # Errors
    /// An empty list, a leading coefficient of the denominator that is zero, a numerator of higher degree than the
    /// denominator, a number that is not finite, a period that is not positive, a negative offset.
    pub fn new(numerator: &[f64], denominator: &[f64], sampling: Sampling) -> Result<Self, ParameterError> {
        let linear = Linear::canonical(numerator, denominator)?;
        let dc_gain = numerator.iter().sum::<f64>() / denominator.iter().sum::<f64>();
        let n = linear.A.nrows();
        let system = DiscreteStateSpace::of(linear, vec![0.0; n], sampling)?;
        Ok(DiscreteTransferFunction { input: system.input, output: system.output, dc_gain, system })
    }

    /// The value at z = 1: the limit for a constant input of 1 if the system is stable.
    pub fn dc_gain(&self) -> f64 {
        self.dc_gain
    }
}

impl LeafSystem for DiscreteTransferFunction {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        LeafSystem::ports(&self.system)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.system.outputs(ctx, out);
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        LeafSystem::update(&self.system, tick, ctx, next);
    }
}
