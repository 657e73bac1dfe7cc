//! The rate of a sampled signal.

use crate::parameter::{self, ParameterError};
use crate::port::{Sampling, Tick};
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output(t) = (input(tₖ) - input(tₖ₋₁)) / period` for `tₖ <= t < tₖ₊₁`; zero up to the second event.
///
/// The difference quotient is the rate half a period before the event: as an estimate of the rate at time t it is late
/// by half a period to one and a half.
pub struct DiscreteDerivative {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n, in units of the input per second.
    pub output: Out<Dyn>,
    width: usize,
    period: f64,
    ports: Ports,
}

impl DiscreteDerivative {
    /// The rates of `width` signals.
    ///
    /// # Errors
    /// A period that is not positive, a negative offset, a number that is not finite.
    pub fn new(width: usize, sampling: Sampling) -> Result<Self, ParameterError> {
        let sampling = parameter::sampling(sampling)?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", width);
        let output = ports.output_of_width("output", width);
        ports.no_feedthrough(output);
        ports.periodic(sampling);
        ports.discrete_state("quotient", vec![0.0; width]);
        ports.discrete_state("sample", vec![0.0; width]);
        // Whether there is a sample.
        ports.discrete_state("sampled", vec![0.0]);
        Ok(DiscreteDerivative { input, output, width, period: sampling.period, ports })
    }
}

impl LeafSystem for DiscreteDerivative {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &quotient) in out.slice(self.output).iter_mut().zip(ctx.discrete) {
            *y = S::constant(quotient);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let u = ctx.get(self.input);
        let (quotient, rest) = next.split_at_mut(self.width);
        let (sample, sampled) = rest.split_at_mut(self.width);
        if sampled[0] != 0.0 {
            for i in 0..self.width {
                quotient[i] = (u[i] - sample[i]) / self.period;
            }
        }
        sample.copy_from_slice(u);
        sampled[0] = 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&DiscreteDerivative::new(2, Sampling::every(0.1)).unwrap());
    }

    #[test]
    fn of_a_parabola_is_its_rate_half_a_period_before() {
        let block = DiscreteDerivative::new(2, Sampling::every(0.25)).unwrap();
        let mut discrete = vec![0.0; 5];
        for k in 0..5 {
            let t = 0.25 * k as f64;
            let bench = Bench::new(&block).time(t).input(block.input, [3.0 + t * t, -t]).discrete(&discrete);
            discrete = bench.update(Tick { index: 0 });
            let expected = if k == 0 { [0.0, 0.0] } else { [2.0 * (t - 0.125), -1.0] };
            assert_eq!(bench.discrete(&discrete).eval(block.output), expected);
        }
    }
}
