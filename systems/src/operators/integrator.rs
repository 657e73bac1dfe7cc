//! The integral of a signal over time.

use crate::parameter::{self, ParameterError};
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `ẋ = input`, `output = x`. The output depends on the state only, so an integrator breaks algebraic loops.
pub struct Integrator {
    /// ẋ, width n.
    pub input: In<Dyn>,
    /// x, width n.
    pub output: Out<Dyn>,
    ports: Ports,
}

impl Integrator {
    /// An integrator that starts at `initial` (width n).
    ///
    /// # Errors
    /// An element that is not finite.
    pub fn new(initial: impl Into<Vec<f64>>) -> Result<Self, ParameterError> {
        let initial = initial.into();
        parameter::finite("initial", &initial)?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", initial.len());
        let output = ports.output_of_width("output", initial.len());
        ports.no_feedthrough(output);
        ports.continuous_state("x", initial);
        Ok(Integrator { input, output, ports })
    }
}

impl LeafSystem for Integrator {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, ctx.continuous);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        derivatives.copy_from_slice(ctx.get(self.input));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&Integrator::new([1.0, 2.0, 3.0]).unwrap());
    }

    #[test]
    fn shows_its_state_and_moves_at_its_input() {
        let integrator = Integrator::new([1.0, 2.0]).unwrap();
        // The output needs no input: it is not fed through.
        assert_eq!(Bench::new(&integrator).eval(integrator.output), [1.0, 2.0]);
        assert_eq!(Bench::new(&integrator).input(integrator.input, [5.0, -6.0]).derivatives(), [5.0, -6.0]);
    }
}
