//! A bound on how fast a signal changes.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `ẋ = min(max((input - x)/τ, -falling), rising)`, `output = x`, element by element.
///
/// A first-order lag of time constant τ whose rate is bounded: the output follows slow inputs with the lag τ and never
/// moves faster than the bounds. (A limiter without lag is not a function of its present input; choose τ small against
/// the times of interest.) The output depends on the state only, so the block breaks algebraic loops.
pub struct RateLimiter {
    /// Width n.
    pub input: In<Dyn>,
    /// x, width n.
    pub output: Out<Dyn>,
    rising: Vec<f64>,
    falling: Vec<f64>,
    time_constant: f64,
    ports: Ports,
}

impl RateLimiter {
    /// A limiter that starts at `initial` (width n), with bounds on the rates of rise and fall \[1/s\], one for all or
    /// one each, and a time constant \[s\].
    ///
    /// # Errors
    /// A list of another length than `initial`, a number that is not finite, a bound or a time constant that is not
    /// positive.
    pub fn new(
        initial: impl Into<Vec<f64>>,
        rising: impl Into<PerChannel>,
        falling: impl Into<PerChannel>,
        time_constant: f64,
    ) -> Result<Self, ParameterError> {
        let initial = initial.into();
        let width = initial.len();
        parameter::finite("initial", &initial)?;
        let (rising, falling) = (rising.into().expand("rising", width)?, falling.into().expand("falling", width)?);
        parameter::finite("time_constant", &[time_constant])?;
        for (name, values) in [("rising", &rising[..]), ("falling", &falling), ("time_constant", &[time_constant])] {
            parameter::positive(name, values)?;
        }
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        ports.no_feedthrough(output);
        ports.continuous_state("x", initial);
        ports.units_alike([input], output);
        Ok(RateLimiter { input, output, rising, falling, time_constant, ports })
    }
}

impl LeafSystem for RateLimiter {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, ctx.continuous);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let input = ctx.get(self.input);
        for (i, rate) in derivatives.iter_mut().enumerate() {
            let wish = (input[i] - ctx.continuous[i]) / S::constant(self.time_constant);
            let (rising, falling) = (S::constant(self.rising[i]), S::constant(-self.falling[i]));
            *rate = if wish > rising {
                rising
            } else if wish < falling {
                falling
            } else {
                wish
            };
        }
    }
}
