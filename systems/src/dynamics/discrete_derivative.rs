//! The rate of a sampled signal.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output(t) = (input(tₖ) - input(tₖ₋₁)) / period` for `tₖ <= t < tₖ₊₁`; zero up to the second event.
///
/// The difference quotient is the rate half a period before the event: as an estimate of the rate at time t it lags by
/// a half to one and a half periods.
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
        // Flag of whether there is a sample.
        ports.discrete_state("sampled", vec![0.0]);
        ports.units_times_seconds(output, input, -1);
        Ok(DiscreteDerivative { input, output, width, period: sampling.period, ports })
    }
}

impl LeafSystem for DiscreteDerivative {
    kinegraph_core::compiled_here!();

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
