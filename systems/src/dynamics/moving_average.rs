//! The mean of the last samples.

use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Sampling, Scalar, Tick, parameter};

/// Holds the mean of the last `samples` samples, element by element; before the first sample there were zeros.
pub struct MovingAverage {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    width: usize,
    ports: Ports,
}

impl MovingAverage {
    /// A mean for `width` elements; sampled when `at` says; fails if that has no positive period.
    pub fn new(width: usize, samples: std::num::NonZeroUsize, at: Sampling) -> Result<Self, parameter::ParameterError> {
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        ports.no_feedthrough(output);
        ports.periodic(parameter::sampling(at)?);
        ports.discrete_state("window", vec![0.0; parameter::held("samples", samples.get(), width)?]);
        Ok(MovingAverage { input, output, width, ports })
    }
}

impl LeafSystem for MovingAverage {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};
    use std::num::NonZero;

    #[test]
    fn conforms() {
        conformance::check(&MovingAverage::new(2, NonZero::new(5).unwrap(), Sampling::every(0.1)).unwrap());
    }

    #[test]
    fn is_the_mean_of_the_last_three_samples() {
        let block = MovingAverage::new(1, NonZero::new(3).unwrap(), Sampling::every(0.1)).unwrap();
        let (mut window, mut means) = (vec![0.0; 3], Vec::new());
        for sample in [6.0, 3.0, 9.0, 12.0] {
            window = Bench::new(&block).input(block.input, [sample]).discrete(&window).update(Tick { index: 0 });
            means.extend(Bench::new(&block).discrete(&window).eval(block.output));
        }
        assert_eq!(means, [2.0, 3.0, 6.0, 8.0]);
    }
}
