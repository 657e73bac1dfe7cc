//! Two-point control with hysteresis.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Crossing, Sampling, Tick, Witness};
use kinegraph_core::system::Reset;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Each element switches on when its input rises to `rise_at`, and off when it falls to `fall_at`, which is no higher;
/// between the two it keeps its mode. `output = high` while it is on, `low` while it is off. With equal thresholds it
/// is a comparator, without hysteresis.
///
/// The modes (1: on, 0: off) are discrete state, switched by witness functions: every step sees one mode. At time zero
/// an input outside of the hysteresis sets its mode; inside, the mode starts as given. The output depends on the mode
/// only, so the block breaks algebraic loops.
pub struct Relay {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    thresholds: [Vec<f64>; 2],
    values: [Vec<f64>; 2],
    ports: Ports,
}

/// Parameters of a [`Relay`], each one for all elements or one each.
#[derive(Clone, Debug)]
pub struct RelayParameters {
    /// Input at which an element switches on.
    pub rise_at: PerChannel,
    /// Input at which it switches off; not above `rise_at`.
    pub fall_at: PerChannel,
    /// Output while on.
    pub high: PerChannel,
    /// Output while off.
    pub low: PerChannel,
    /// True if elements start on while the input is within the hysteresis.
    pub starts_high: bool,
}

impl Relay {
    /// A relay of `width` elements.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, or thresholds in the wrong order.
    pub fn new(width: usize, parameters: RelayParameters) -> Result<Self, ParameterError> {
        let RelayParameters { rise_at, fall_at, high, low, starts_high } = parameters;
        let (rise_at, fall_at) = (rise_at.expand("rise_at", width)?, fall_at.expand("fall_at", width)?);
        parameter::finite("fall_at", &fall_at)?;
        parameter::finite("rise_at", &rise_at)?;
        let pairs = fall_at.iter().zip(&rise_at);
        let apart: Vec<f64> = pairs.map(|(fall, rise)| if fall == rise { f64::MIN } else { *fall }).collect();
        parameter::bounds(parameter::named("fall_at", &apart), parameter::named("rise_at", &rise_at))?;
        let values = [low.expand("low", width)?, high.expand("high", width)?];
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        ports.no_feedthrough(output);
        ports.discrete_state("on", vec![f64::from(u8::from(starts_high)); width]);
        ports.periodic(Sampling::once(0.0));
        for i in 0..width {
            ports.witness(format!("on[{i}]"), Crossing::Rising);
            ports.witness(format!("off[{i}]"), Crossing::Falling);
        }
        Ok(Relay { input, output, thresholds: [fall_at, rise_at], values, ports })
    }
}

impl LeafSystem for Relay {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (i, y) in out.slice(self.output).iter_mut().enumerate() {
            *y = S::constant(self.values[usize::from(ctx.discrete[i] > 0.5)][i]);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let [fall_at, rise_at] = &self.thresholds;
        for (i, &u) in ctx.get(self.input).iter().enumerate() {
            if u >= rise_at[i] {
                next[i] = 1.0;
            } else if u <= fall_at[i] {
                next[i] = 0.0;
            }
        }
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let [fall_at, rise_at] = &self.thresholds;
        for (i, (&u, pair)) in ctx.get(self.input).iter().zip(values.chunks_exact_mut(2)).enumerate() {
            // A crossing that would not change the mode is no event: it need not end a step.
            let on = ctx.discrete[i] > 0.5;
            pair[0] = if on { -1.0 } else { u - rise_at[i] };
            pair[1] = if on { u - fall_at[i] } else { 1.0 };
        }
    }

    fn reset(&self, witness: Witness, _ctx: &Context<f64>, state: &mut Reset) {
        state.discrete[witness.index / 2] = if witness.index.is_multiple_of(2) { 1.0 } else { 0.0 };
    }
}
