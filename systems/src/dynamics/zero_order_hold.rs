//! Sample and hold.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Takes its input at every event and holds it: `output(t) = input(tₖ)` for `tₖ <= t < tₖ₊₁`, with the input just
/// before tₖ.
pub struct ZeroOrderHold {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    ports: Ports,
}

impl ZeroOrderHold {
    /// A hold of `width` elements, with the output `initial` up to its first event.
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
        ports.discrete_state("held", initial);
        ports.units_alike([input], output);
        Ok(ZeroOrderHold { input, output, ports })
    }
}

impl LeafSystem for ZeroOrderHold {
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
        next.copy_from_slice(ctx.get(self.input));
    }
}
