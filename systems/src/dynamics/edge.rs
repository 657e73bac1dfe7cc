//! Detection of the edges of a signal.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::{Crossing, Witness, simultaneous};
use kinegraph_core::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar};

/// A pulse at each edge of a signal: `pulse = 1` for the duration after the input crosses the threshold in the
/// direction that is watched, 0 otherwise; `count` is the number of edges.
///
/// Each edge is an event at the exact time of the crossing, and so is the end of the pulse. An edge within a pulse
/// starts the duration anew. A signal that starts beyond the threshold has no edge there, unless an event at the start
/// takes it over. The outputs depend on discrete state only, so the block breaks algebraic loops.
pub struct Edge {
    /// The signal.
    pub input: In<Fixed<1>>,
    /// 1 for the duration after an edge, otherwise 0.
    pub pulse: Out<Fixed<1>>,
    /// Number of edges.
    pub count: Out<Fixed<1>>,
    threshold: f64,
    duration: f64,
    ports: Ports,
}

/// The witness functions.
const EDGE: usize = 0;
const END: usize = 1;
/// Indices of the discrete state: the pulse, the number of edges, the time of the last one \[s\].
const PULSE: usize = 0;
const COUNT: usize = 1;
const SINCE: usize = 2;

impl Edge {
    /// A detector of crossings of `threshold` in the direction `on`, with pulses of `duration` \[s\].
    ///
    /// # Errors
    /// A number that is not finite, a duration that is not positive.
    pub fn new(on: Crossing, threshold: f64, duration: f64) -> Result<Self, ParameterError> {
        parameter::finite("threshold", &[threshold])?;
        parameter::finite("duration", &[duration])?;
        parameter::positive("duration", &[duration])?;
        let mut ports = Ports::new();
        let (input, pulse, count) = (ports.input("input"), ports.output("pulse"), ports.output("count"));
        ports.no_feedthrough(pulse);
        ports.no_feedthrough(count);
        ports.discrete_state("pulse", vec![0.0]);
        ports.discrete_state("count", vec![0.0]);
        ports.discrete_state("since", vec![0.0]);
        ports.witness("edge", on);
        ports.witness("end", Crossing::Rising);
        Ok(Edge { input, pulse, count, threshold, duration, ports })
    }
}

impl LeafSystem for Edge {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.pulse, [S::constant(ctx.discrete[PULSE])]);
        out.set(self.count, [S::constant(ctx.discrete[COUNT])]);
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        values[EDGE] = ctx.get(self.input)[0] - self.threshold;
        values[END] =
            if ctx.discrete[PULSE] > 0.5 { (ctx.time - ctx.discrete[SINCE]) - self.duration } else { -self.duration };
    }

    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        if witness.index == EDGE {
            state.discrete[PULSE] = 1.0;
            state.discrete[COUNT] += 1.0;
            state.discrete[SINCE] = ctx.time;
        } else if ctx.time - state.discrete[SINCE] > self.duration - simultaneous(ctx.time) {
            // Otherwise an edge at the same time has begun another pulse.
            state.discrete[PULSE] = 0.0;
        }
    }
}
