//! A square wave.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Sampling, Tick, simultaneous};
use kinegraph_core::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar, TimeVariation};

/// `output = amplitude` during the first part of each period (`width_fraction` of it), zero otherwise and before the
/// delay.
///
/// The edges are events: no step of an integrator goes over one. A discrete state counts the edges passed, rising and
/// falling; at the instant of an edge it states the side (the old value until the event, the new one after it).
pub struct Pulse {
    /// Width n, in the units of the amplitude.
    pub output: Out<Dyn>,
    amplitude: Vec<f64>,
    /// Rising, then falling edges.
    edges: [Sampling; 2],
    ports: Ports,
}

impl Pulse {
    /// Pulses of `width` elements, amplitude one for all or one each; `period` and `delay` of the first rising edge in
    /// s.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a period that is not positive, or a width fraction
    /// that is not between 0 and 1.
    pub fn new(
        width: usize,
        amplitude: impl Into<PerChannel>,
        period: f64,
        width_fraction: f64,
        delay: f64,
    ) -> Result<Self, ParameterError> {
        let amplitude = amplitude.into().expand("amplitude", width)?;
        parameter::finite("delay", &[delay])?;
        parameter::finite("period", &[period])?;
        parameter::positive("period", &[period])?;
        let between = "a number between 0 and 1";
        parameter::within("width_fraction", &[width_fraction], between, |f| f > 0.0 && f < 1.0)?;
        let edges = [delay, delay + width_fraction * period].map(|offset| Sampling { period, offset });
        let mut ports = Ports::new();
        let output = ports.output_of_width("output", width);
        for edge in edges {
            ports.periodic(edge);
        }
        ports.discrete_state("edges", vec![0.0]);
        Ok(Pulse { output, amplitude, edges, ports })
    }

    /// Number of edges passed at `time`, of which `counted` have happened as events.
    fn passed(&self, time: f64, counted: f64) -> f64 {
        let before = |edge: &Sampling, time: f64| ((time - edge.offset) / edge.period).ceil().max(0.0);
        let count = |time: f64| self.edges.iter().map(|edge| before(edge, time)).sum::<f64>();
        let (behind, with_now) = (count(time - simultaneous(time)), count(time + simultaneous(time)));
        counted.clamp(behind, with_now)
    }
}

impl LeafSystem for Pulse {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        TimeVariation::Steady
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let high = self.passed(ctx.time.value(), ctx.discrete[0]) % 2.0 == 1.0;
        for (y, &amplitude) in out.slice(self.output).iter_mut().zip(&self.amplitude) {
            *y = S::constant(if high { amplitude } else { 0.0 });
        }
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let edge = &self.edges[tick.index];
        let number = ((ctx.time - edge.offset) / edge.period).round();
        next[0] = 2.0 * number + 1.0 + tick.index as f64;
    }
}
