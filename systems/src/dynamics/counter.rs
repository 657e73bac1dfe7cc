//! Counting of the rises of a signal.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::{Crossing, Witness};
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar};

/// Counts how often its input rises through `threshold`; with a modulo m the count goes 0, 1, …, m - 1, 0, …
///
/// The input counts as up above the threshold and as down at it or below. An input that is up at the start is not
/// counted, unless an event at the start raises it.
pub struct Counter {
    /// The signal.
    pub input: In<Fixed<1>>,
    /// The count.
    pub output: Out<Fixed<1>>,
    threshold: f64,
    modulo: Option<u32>,
    ports: Ports,
}

impl Counter {
    /// A counter that starts at zero.
    ///
    /// # Errors
    /// A threshold that is not finite, a modulo of zero.
    pub fn new(threshold: f64, modulo: Option<u32>) -> Result<Self, ParameterError> {
        parameter::finite("threshold", &[threshold])?;
        parameter::positive("modulo", &[modulo.map_or(1.0, f64::from)])?;
        let mut ports = Ports::new();
        let (input, output) = (ports.input("input"), ports.output("output"));
        ports.no_feedthrough(output);
        ports.discrete_state("count", vec![0.0]);
        ports.witness("rise", Crossing::Rising);
        Ok(Counter { input, output, threshold, modulo, ports })
    }
}

impl LeafSystem for Counter {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, [S::constant(ctx.discrete[0])]);
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values[0] = ctx.get(self.input)[0] - self.threshold;
    }

    fn reset(&self, _witness: Witness, _ctx: &Context<f64>, state: &mut Reset) {
        let count = &mut state.discrete[0];
        *count += 1.0;
        if self.modulo.is_some_and(|m| *count >= f64::from(m)) {
            *count = 0.0;
        }
    }
}
