//! A transfer function in discrete time.

use super::discrete_state_space::DiscreteStateSpace;
use super::linear::Linear;
use crate::parameter::ParameterError;
use crate::port::{Sampling, Tick};
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

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

    /// The value at z = 1: what a constant input of 1 leads to if the system is stable.
    pub fn dc_gain(&self) -> f64 {
        self.dc_gain
    }
}

impl LeafSystem for DiscreteTransferFunction {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};
    use proptest::prelude::*;

    fn respond(block: &DiscreteTransferFunction, u: &[f64]) -> Vec<f64> {
        let mut discrete = Bench::new(block).discrete_state();
        u.iter()
            .map(|&u| {
                let bench = Bench::new(block).input(block.input, [u]).discrete(&discrete);
                discrete = bench.update(Tick { index: 0 });
                bench.discrete(&discrete).eval(block.output)[0]
            })
            .collect()
    }

    #[test]
    fn conforms() {
        conformance::check(
            &DiscreteTransferFunction::new(&[1.0, 2.0], &[2.0, 0.5, 0.1], Sampling::every(0.1)).unwrap(),
        );
    }

    proptest! {
        #[test]
        fn is_its_difference_equation(
            b in prop::collection::vec(-2.0..2.0_f64, 1..5),
            a in prop::collection::vec(-0.4..0.4_f64, 4..6),
            u in prop::collection::vec(-1.0..1.0_f64, 12),
        ) {
            let mut denominator = vec![2.0];
            denominator.extend(&a);
            let block = DiscreteTransferFunction::new(&b, &denominator, Sampling::every(0.1)).unwrap();
            let y = respond(&block, &u);
            let shift = denominator.len() - b.len();
            for k in 0..u.len() {
                let past = |values: &[f64], by: usize| if k >= by { values[k - by] } else { 0.0 };
                let driven: f64 = b.iter().enumerate().map(|(i, b)| b * past(&u, i + shift)).sum();
                let fed_back: f64 = a.iter().enumerate().map(|(i, a)| a * past(&y, i + 1)).sum();
                let expected = (driven - fed_back) / 2.0;
                prop_assert!((y[k] - expected).abs() < 1e-11, "sample {k}: {} instead of {expected}", y[k]);
            }
        }
    }

    #[test]
    fn a_constant_input_leads_to_the_dc_gain() {
        let block = DiscreteTransferFunction::new(&[1.0, 0.5], &[1.0, -0.5, 0.1], Sampling::every(0.1)).unwrap();
        let y = respond(&block, &[1.0; 200]);
        assert!((y[199] - block.dc_gain()).abs() < 1e-12 && (block.dc_gain() - 2.5).abs() < 1e-12, "{}", y[199]);
    }
}
