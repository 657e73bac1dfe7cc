//! A damped oscillator that follows its input.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};

/// `ẍ + 2 ζ ω ẋ + ω² x = gain ω² u`, for n channels: the transfer function `gain ω² / (s² + 2 ζ ω s + ω²)`.
///
/// It smooths a jump into a path with a rate; `state` is in the form that controllers take as desired state.
pub struct SecondOrder {
    /// u, width n.
    pub input: In<Dyn>,
    /// x, width n.
    pub position: Out<Dyn>,
    /// ẋ, width n \[1/s\].
    pub rate: Out<Dyn>,
    /// x, then ẋ; width 2n.
    pub state: Out<MultibodyState>,
    natural_frequency: Vec<f64>,
    damping_ratio: Vec<f64>,
    gain: Vec<f64>,
    ports: Ports,
}

impl SecondOrder {
    /// Oscillators of `width` channels, at rest at `initial`; natural frequencies ω \[rad/s\], damping ratios ζ and
    /// gains one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a frequency that is not positive.
    pub fn new(
        width: usize,
        natural_frequency: impl Into<PerChannel>,
        damping_ratio: impl Into<PerChannel>,
        gain: impl Into<PerChannel>,
        initial: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let natural_frequency = natural_frequency.into().expand("natural_frequency", width)?;
        parameter::positive("natural_frequency", &natural_frequency)?;
        let damping_ratio = damping_ratio.into().expand("damping_ratio", width)?;
        let gain = gain.into().expand("gain", width)?;
        let initial = initial.into().expand("initial", width)?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", width);
        let position = ports.output_of_width("position", width);
        let rate = ports.output_of_width("rate", width);
        let state = ports.output_of_width("state", 2 * width);
        ports.no_feedthrough(position);
        ports.no_feedthrough(rate);
        ports.no_feedthrough(state);
        ports.continuous_state("position", initial);
        ports.continuous_state("rate", vec![0.0; width]);
        // Any other gain may convert the unit.
        if gain.iter().all(|gain| *gain == 1.0) {
            ports.units_alike([input], position);
            ports.units_times_seconds(rate, input, -1);
        }
        Ok(SecondOrder { input, position, rate, state, natural_frequency, damping_ratio, gain, ports })
    }
}

impl LeafSystem for SecondOrder {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (position, rate) = ctx.continuous.split_at(self.gain.len());
        out.set(self.position, position);
        out.set(self.rate, rate);
        out.set(self.state, ctx.continuous);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let n = self.gain.len();
        let (u, (x, v)) = (ctx.get(self.input), ctx.continuous.split_at(n));
        for i in 0..n {
            let (omega, zeta) = (S::constant(self.natural_frequency[i]), S::constant(self.damping_ratio[i]));
            let pull = omega * (S::constant(self.gain[i]) * u[i] - x[i]);
            derivatives[i] = v[i];
            derivatives[n + i] = omega * (pull - (zeta + zeta) * v[i]);
        }
    }
}
