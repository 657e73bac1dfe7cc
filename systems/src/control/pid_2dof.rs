//! Proportional-integral-derivative control with two degrees of freedom.
//!
//! ```text
//! raw = kp (b r - y) + ki z + kd d,   ż = r - y,   effort = raw within its limits
//! T ẇ = c r - y - w,                  d = (c r - y - w)/T
//! ```
//!
//! The weights b and c state how the reference r acts; how the loop rejects disturbances does not depend on them. With
//! b = c = 1 it is the controller of the error; b below 1 reduces the overshoot after a step of the reference, c = 0
//! keeps such a step out of the derivative. (Åström, Hägglund, "Advanced PID Control", ISA 2006, section 3.4; bumpless
//! transfer: section 3.6.)

use super::pid_law::{PidLaw, PidSettings};
use kinegraph_core::logic;
use kinegraph_core::parameter::{ParameterError, PerChannel};
use kinegraph_core::port::{Crossing, Sampling, Tick, Witness};
use kinegraph_core::{Context, Dyn, Fixed, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar};

/// A PID controller with setpoint weights b and c, a derivative filter, limits with anti-windup, and, if it is asked
/// for, a manual mode with bumpless transfer.
///
/// In manual mode, while the input `manual` is above 1/2, the effort is that of `track` within the limits, and the
/// integral rests. Where the mode ends, the integral is set so that the effort goes on from there without a jump; a
/// channel without integral gain has nothing to set. Both changes are events at their exact times. The filter starts at
/// w = 0: an initial `c r - y` counts as a jump.
pub struct Pid2Dof {
    /// y, width n.
    pub measured: In<Dyn>,
    /// r, width n.
    pub reference: In<Dyn>,
    /// Manual mode above 1/2; if there is a manual mode.
    pub manual: Option<In<Fixed<1>>>,
    /// Effort of the manual mode, width n; if there is a manual mode.
    pub track: Option<In<Dyn>>,
    /// Effort, width n.
    pub effort: Out<Dyn>,
    law: PidLaw,
    weights: [Vec<f64>; 2],
    time_constant: Vec<f64>,
    ports: Ports,
}

/// Weights of the reference in a [`Pid2Dof`], each one for all channels or one each.
#[derive(Clone, Debug, PartialEq)]
pub struct SetpointWeights {
    /// b, of the proportional part.
    pub b: PerChannel,
    /// c, of the derivative part.
    pub c: PerChannel,
}

impl Pid2Dof {
    /// A controller of `channels` channels, with a manual mode if `has_manual`. The derivative filter is that of the
    /// settings or, without one, kd/kp/10 where kp and kd are positive.
    ///
    /// # Errors
    /// As [`Pid::with`](super::Pid::with); a gain kd without a filter where kd/kp is not positive; weights that are not
    /// finite, or lists of them that are not `channels` long.
    pub fn new(
        channels: usize,
        settings: PidSettings,
        weights: SetpointWeights,
        has_manual: bool,
    ) -> Result<Self, ParameterError> {
        let law = PidLaw::new(channels, settings.filtered(channels)?)?;
        let weights = [weights.b.expand("b", channels)?, weights.c.expand("c", channels)?];
        let time_constant = law.filter.clone().unwrap_or_default();
        let mut ports = Ports::new();
        let [measured, reference] = ["measured", "reference"].map(|name| ports.input_of_width(name, channels));
        let manual = has_manual.then(|| ports.input("manual"));
        let track = has_manual.then(|| ports.input_of_width("track", channels));
        let effort = ports.output_of_width("effort", channels);
        for input in [Some(measured), Some(reference), track].into_iter().flatten() {
            ports.feedthrough(effort, input);
        }
        if law.integrates {
            ports.continuous_state("integral", vec![0.0; channels]);
        }
        if law.differentiates {
            ports.continuous_state("filter", vec![0.0; channels]);
        }
        if has_manual {
            ports.discrete_state("manual", vec![0.0]);
            ports.periodic(Sampling::once(0.0));
            ports.witness("manual", Crossing::Rising);
        }
        ports.input_units_alike([measured, reference]);
        if let Some(track) = track {
            ports.units_alike([track], effort);
        }
        Ok(Pid2Dof { measured, reference, manual, track, effort, law, weights, time_constant, ports })
    }

    /// b r - y (`weight` 0) or c r - y (`weight` 1) of channel `i`.
    fn weighted<S: Scalar>(&self, ctx: &Context<S>, weight: usize, i: usize) -> S {
        S::constant(self.weights[weight][i]) * ctx.get(self.reference)[i] - ctx.get(self.measured)[i]
    }

    /// d of channel `i`.
    fn rate<S: Scalar>(&self, ctx: &Context<S>, i: usize) -> S {
        if !self.law.differentiates {
            return S::zero();
        }
        let w = ctx.continuous[if self.law.integrates { self.law.channels } else { 0 } + i];
        (self.weighted(ctx, 1, i) - w) / S::constant(self.time_constant[i])
    }

    /// kp (b r - y) + ki z + kd d of channel `i`.
    fn raw<S: Scalar>(&self, ctx: &Context<S>, i: usize) -> S {
        let z = if self.law.integrates { ctx.continuous[i] } else { S::zero() };
        self.law.raw(i, self.weighted(ctx, 0, i), z, self.rate(ctx, i))
    }

    /// The efforts to follow, in manual mode.
    fn tracked<'a, S: Scalar>(&self, ctx: &Context<'a, S>) -> Option<&'a [S]> {
        let is_manual = ctx.discrete.first().is_some_and(|&manual| manual > 0.5);
        self.track.filter(|_| is_manual).map(|track| ctx.get(track))
    }
}

impl LeafSystem for Pid2Dof {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        self.law.is_limited()
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let tracked = self.tracked(ctx);
        for (i, effort) in out.slice(self.effort).iter_mut().enumerate() {
            *effort = self.law.effort(i, tracked.map_or_else(|| self.raw(ctx, i), |tracked| tracked[i]));
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let (integrals, filters) = derivatives.split_at_mut(if self.law.integrates { self.law.channels } else { 0 });
        let is_manual = self.tracked(ctx).is_some();
        for (i, rate) in integrals.iter_mut().enumerate() {
            let error = ctx.get(self.reference)[i] - ctx.get(self.measured)[i];
            *rate = if is_manual { S::zero() } else { self.law.integral_rate(i, error, self.raw(ctx, i)) };
        }
        for (i, rate) in filters.iter_mut().enumerate() {
            *rate = self.rate(ctx, i);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        if let Some(manual) = self.manual {
            next[0] = logic::number(logic::is_true(ctx.get(manual)[0]));
        }
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        if let Some(manual) = self.manual {
            // Positive once the mode should change.
            let excess = ctx.get(manual)[0] - logic::TRUE_ABOVE;
            values[0] = if ctx.discrete[0] > 0.5 { -excess } else { excess };
        }
    }

    fn reset(&self, _witness: Witness, ctx: &Context<f64>, state: &mut Reset) {
        if let Some(tracked) = self.tracked(ctx) {
            for (i, &effort) in tracked.iter().enumerate() {
                let effort = self.law.effort(i, effort);
                if let Some(z) = self.law.integral_of(i, effort, self.weighted(ctx, 0, i), self.rate(ctx, i)) {
                    state.continuous[i] = z;
                }
            }
        }
        state.discrete[0] = 1.0 - state.discrete[0];
    }
}
