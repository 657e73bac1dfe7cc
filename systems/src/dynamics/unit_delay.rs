//! A delay by one sample.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Holds the sample of one period ago: `output(t) = input(tₖ₋₁)` for `tₖ <= t < tₖ₊₁`, with the inputs just before
/// their events.
pub struct UnitDelay {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    width: usize,
    ports: Ports,
}

impl UnitDelay {
    /// A delay of `width` elements by one period; `initial` is the sample before the first.
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
        ports.units_alike([input], output);
        Ok(UnitDelay { input, output, width, ports })
    }
}

impl LeafSystem for UnitDelay {
    kinegraph_core::compiled_here!();

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
