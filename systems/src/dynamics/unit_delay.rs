//! The sample before.

use crate::parameter::{self, ParameterError, PerChannel};
use crate::port::{Sampling, Tick};
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Holds the sample of one period ago: `output(t) = input(tₖ₋₁)` for `tₖ <= t < tₖ₊₁`, the inputs being those just
/// before their events.
pub struct UnitDelay {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    width: usize,
    ports: Ports,
}

impl UnitDelay {
    /// A delay of `width` elements by one period; `initial` stands for the sample before the first.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a period that is not positive, a negative offset.
    pub fn new(width: usize, sampling: Sampling, initial: impl Into<PerChannel>) -> Result<Self, ParameterError> {
        let (sampling, initial) = (parameter::sampling(sampling)?, initial.into().expand("initial", width)?);
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", width);
        let output = ports.output_of_width("output", width);
        ports.no_feedthrough(output);
        ports.periodic(sampling);
        ports.discrete_state("shown", initial.clone());
        ports.discrete_state("sample", initial);
        Ok(UnitDelay { input, output, width, ports })
    }
}

impl LeafSystem for UnitDelay {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &shown) in out.slice(self.output).iter_mut().zip(ctx.discrete) {
            *y = S::constant(shown);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let (shown, sample) = next.split_at_mut(self.width);
        shown.copy_from_slice(sample);
        sample.copy_from_slice(ctx.get(self.input));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&UnitDelay::new(2, Sampling::every(0.1), [1.0, -1.0]).unwrap());
    }

    #[test]
    fn shows_the_sample_before() {
        let delay = UnitDelay::new(1, Sampling::every(0.1), 9.0).unwrap();
        let (mut discrete, mut shown) = (vec![9.0, 9.0], Vec::new());
        for k in 0..4 {
            let bench = Bench::new(&delay).input(delay.input, [k as f64]).discrete(&discrete);
            discrete = bench.update(Tick { index: 0 });
            shown.extend(bench.discrete(&discrete).eval(delay.output));
        }
        assert_eq!(shown, [9.0, 0.0, 1.0, 2.0]);
    }
}
