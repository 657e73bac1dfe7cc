//! A first-order low-pass.

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `time_constant ẋ + x = gain u`, `output = x`, for n channels: the transfer function `gain / (1 + time_constant s)`.
pub struct FirstOrderLag {
    /// u, width n.
    pub input: In<Dyn>,
    /// x, width n.
    pub output: Out<Dyn>,
    time_constant: Vec<f64>,
    gain: Vec<f64>,
    ports: Ports,
}

impl FirstOrderLag {
    /// Lags of `width` channels; time constants \[s\], gains and initial values one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a time constant that is not positive.
    pub fn new(
        width: usize,
        time_constant: impl Into<PerChannel>,
        gain: impl Into<PerChannel>,
        initial: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        let time_constant = time_constant.into().expand("time_constant", width)?;
        parameter::positive("time_constant", &time_constant)?;
        let gain = gain.into().expand("gain", width)?;
        let initial = initial.into().expand("initial", width)?;
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", width);
        let output = ports.output_of_width("output", width);
        ports.no_feedthrough(output);
        ports.continuous_state("x", initial);
        // Any other gain may convert the unit.
        if gain.iter().all(|gain| *gain == 1.0) {
            ports.units_alike([input], output);
        }
        Ok(FirstOrderLag { input, output, time_constant, gain, ports })
    }
}

impl LeafSystem for FirstOrderLag {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, ctx.continuous);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let u = ctx.get(self.input);
        for (i, rate) in derivatives.iter_mut().enumerate() {
            *rate = (S::constant(self.gain[i]) * u[i] - ctx.continuous[i]) / S::constant(self.time_constant[i]);
        }
    }
}
