//! A single jump.

use super::breaks::Breaks;
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::Tick;
use kinegraph_core::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar, TimeVariation};

/// `output = initial` before `time` \[s\], `last` from then on.
///
/// The jump is an event: no step of an integrator goes over it, and at `time` itself the output is old until the event
/// and new after it (which is what recordings show).
pub struct Step {
    /// Width n, in the units of the values.
    pub output: Out<Dyn>,
    initial: Vec<f64>,
    last: Vec<f64>,
    breaks: Breaks,
    ports: Ports,
}

impl Step {
    /// A jump of `width` elements at `time` \[s\], each value one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, or a number that is not finite.
    pub fn new(
        width: usize,
        time: f64,
        initial: impl Into<PerChannel>,
        last: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        parameter::finite("time", &[time])?;
        let (initial, last) = (initial.into().expand("initial", width)?, last.into().expand("final", width)?);
        let mut ports = Ports::new();
        let output = ports.output_of_width("output", width);
        let breaks = Breaks::declare(vec![time], &mut ports);
        Ok(Step { output, initial, last, breaks, ports })
    }
}

impl LeafSystem for Step {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        TimeVariation::Steady
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let passed = self.breaks.passed(ctx.time.value(), ctx.discrete);
        let values = if passed == 0 { &self.initial } else { &self.last };
        for (y, &value) in out.slice(self.output).iter_mut().zip(values) {
            *y = S::constant(value);
        }
    }

    fn update(&self, tick: Tick, _ctx: &Context<f64>, next: &mut [f64]) {
        self.breaks.update(tick, next);
    }
}
