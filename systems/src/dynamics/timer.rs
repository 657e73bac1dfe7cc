//! Time since a signal became true.

use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::port::{Crossing, Sampling, Tick, Witness};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar, TimeVariation};

/// A timer per element: its output grows by 1 s/s while the input is true, and is 0 while the input is false; or it
/// keeps the time reached, as a stopwatch does.
///
/// An input is true above the threshold. The timer starts and stops at the exact times at which the input crosses it.
/// Where `reset` becomes true, the time begins again from 0. The output depends on state and time only, so the block
/// breaks algebraic loops.
pub struct Timer {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n; never true if it is not connected.
    pub reset: In<Dyn>,
    /// Time, width n \[s\].
    pub output: Out<Dyn>,
    width: usize,
    threshold: f64,
    accumulates: bool,
    ports: Ports,
}

impl Timer {
    /// Timers of `width` elements whose inputs are true above `threshold`; one that `accumulates` keeps its time while
    /// the input is false and goes on from there.
    ///
    /// # Errors
    /// A threshold that is not finite.
    pub fn new(width: usize, threshold: f64, accumulates: bool) -> Result<Self, ParameterError> {
        parameter::finite("threshold", &[threshold])?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", width);
        let reset = ports.optional_input_of_width("reset", width);
        let output = ports.output_of_width("output", width);
        ports.no_feedthrough(output);
        ports.set_units(output, vec!["s"; width]);
        for name in ["running", "since", "reached"] {
            ports.discrete_state(name, vec![0.0; width]);
        }
        ports.periodic(Sampling::once(0.0));
        for i in 0..width {
            ports.witness(format!("input[{i}]"), Crossing::Rising);
        }
        for i in 0..width {
            ports.witness(format!("reset[{i}]"), Crossing::Rising);
        }
        Ok(Timer { input, reset, output, width, threshold, accumulates, ports })
    }

    /// Starts or stops timer `i` at `time` \[s\].
    fn turn(&self, i: usize, time: f64, discrete: &mut [f64]) {
        let [running, since, reached] = [i, self.width + i, 2 * self.width + i];
        if discrete[running] > 0.5 {
            discrete[reached] = if self.accumulates { discrete[reached] + (time - discrete[since]) } else { 0.0 };
        }
        discrete[since] = time;
        discrete[running] = 1.0 - discrete[running];
    }
}

impl LeafSystem for Timer {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn time_variation(&self, _times: (f64, f64)) -> TimeVariation {
        // A straight line between events.
        TimeVariation::Period(f64::INFINITY)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (running, rest) = ctx.discrete.split_at(self.width);
        let (since, reached) = rest.split_at(self.width);
        for (i, y) in out.slice(self.output).iter_mut().enumerate() {
            *y = S::constant(reached[i]);
            if running[i] > 0.5 {
                *y += ctx.time - S::constant(since[i]);
            }
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        for (i, &u) in ctx.get(self.input).iter().enumerate() {
            if u > self.threshold && next[i] < 0.5 {
                self.turn(i, ctx.time, next);
            }
        }
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let (turns, resets) = values.split_at_mut(self.width);
        for (i, turn) in turns.iter_mut().enumerate() {
            // Positive once the timer should start, or stop.
            let excess = ctx.get(self.input)[i] - self.threshold;
            *turn = if ctx.discrete[i] > 0.5 { -excess } else { excess };
        }
        let input = ctx.get_optional(self.reset);
        for (i, reset) in resets.iter_mut().enumerate() {
            *reset = input.map_or(-1.0, |input| input[i] - self.threshold);
        }
    }

    fn reset(&self, witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        let i = witness.index % self.width;
        if witness.index < self.width {
            self.turn(i, ctx.time, state.discrete);
        } else {
            state.discrete[self.width + i] = ctx.time;
            state.discrete[2 * self.width + i] = 0.0;
        }
    }
}
