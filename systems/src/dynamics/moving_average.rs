//! The mean of the last samples.

use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Sampling, Scalar, Tick, parameter};

/// Mean of the last `samples` samples of the input, element by element. Samples before the first count as zero.
pub struct MovingAverage {
    /// Input, width n.
    pub input: In<Dyn>,
    /// Output, width n.
    pub output: Out<Dyn>,
    width: usize,
    ports: Ports,
}

impl MovingAverage {
    /// Creates the mean of `width` elements, sampled at the times of `at`. Fails if the period of `at` is not positive,
    /// if its offset is negative, or if there would be too many numbers to hold.
    pub fn new(width: usize, samples: std::num::NonZeroUsize, at: Sampling) -> Result<Self, parameter::ParameterError> {
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        ports.no_feedthrough(output);
        ports.periodic(parameter::sampling(at)?);
        ports.discrete_state("window", vec![0.0; parameter::held("samples", samples.get(), width)?]);
        ports.units_alike([input], output);
        Ok(MovingAverage { input, output, width, ports })
    }
}

impl LeafSystem for MovingAverage {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let samples = (ctx.discrete.len() / self.width) as f64;
        let sum = |i: usize| ctx.discrete.iter().skip(i).step_by(self.width).sum::<f64>();
        out.slice(self.output).iter_mut().enumerate().for_each(|(i, y)| *y = S::constant(sum(i) / samples));
    }
    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        next.rotate_right(self.width);
        next[..self.width].copy_from_slice(ctx.get(self.input));
    }
}
