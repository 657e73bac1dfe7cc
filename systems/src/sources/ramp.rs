//! A straight rise.

use super::breaks::Breaks;
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::Tick;
use kinegraph_core::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar, TimeVariation};

/// `output = initial + slope (t - start)` between `start` and `stop` \[s\], constant before and after; without a stop
/// it continues.
///
/// The kinks are events: steps of an integrator end there.
pub struct Ramp {
    /// Width n, in the units of `initial`; `slope` is in these units per second.
    pub output: Out<Dyn>,
    slope: Vec<f64>,
    initial: Vec<f64>,
    breaks: Breaks,
    ports: Ports,
}

impl Ramp {
    /// A ramp of `width` elements from `start` to `stop` \[s\], slope and initial value one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, or a stop that does not come after the start.
    pub fn new(
        width: usize,
        slope: impl Into<PerChannel>,
        initial: impl Into<PerChannel>,
        start: f64,
        stop: Option<f64>,
    ) -> Result<Self, ParameterError> {
        let (slope, initial) = (slope.into().expand("slope", width)?, initial.into().expand("initial", width)?);
        parameter::finite("start", &[start])?;
        if let Some(stop) = stop {
            parameter::finite("stop", &[stop])?;
            parameter::bounds(parameter::named("start", &[start]), parameter::named("stop", &[stop]))?;
        }
        let mut ports = Ports::new();
        let output = ports.output_of_width("output", width);
        let breaks = Breaks::declare([Some(start), stop].into_iter().flatten().collect(), &mut ports);
        Ok(Ramp { output, slope, initial, breaks, ports })
    }
}

impl LeafSystem for Ramp {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        TimeVariation::Period(f64::INFINITY)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let times = self.breaks.times();
        let risen = match self.breaks.passed(ctx.time.value(), ctx.discrete) {
            0 => S::zero(),
            1 => ctx.time - S::constant(times[0]),
            _ => S::constant(times[1] - times[0]),
        };
        for ((y, &slope), &initial) in out.slice(self.output).iter_mut().zip(&self.slope).zip(&self.initial) {
            *y = S::constant(initial) + S::constant(slope) * risen;
        }
    }

    fn update(&self, tick: Tick, _ctx: &Context<f64>, next: &mut [f64]) {
        self.breaks.update(tick, next);
    }
}
