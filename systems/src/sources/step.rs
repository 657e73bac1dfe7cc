//! One jump.

use super::breaks::Breaks;
use crate::parameter::{self, ParameterError, PerChannel};
use crate::port::Tick;
use crate::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = initial` before `time` \[s\], `last` from then on.
///
/// The jump is an event: no step of an integrator goes over it, and at `time` itself the output is old until the event
/// and new after it (which is what recordings show).
pub struct Step {
    /// Width n, in the units of the values.
    pub output: Out<Dyn>,
    initial: Vec<f64>,
    last: Vec<f64>,
    breaks: Breaks,
    ports: Ports,
}

impl Step {
    /// A jump of `width` elements at `time` \[s\], each value one for all or one each.
    ///
    /// # Errors
    /// A list that is not `width` long, or a number that is not finite.
    pub fn new(
        width: usize,
        time: f64,
        initial: impl Into<PerChannel>,
        last: impl Into<PerChannel>,
    ) -> Result<Self, ParameterError> {
        parameter::finite("time", &[time])?;
        let (initial, last) = (initial.into().expand("initial", width)?, last.into().expand("final", width)?);
        let mut ports = Ports::new();
        let output = ports.output_of_width("output", width);
        let breaks = Breaks::declare(vec![time], &mut ports);
        Ok(Step { output, initial, last, breaks, ports })
    }
}

impl LeafSystem for Step {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let passed = self.breaks.passed(ctx.time.value(), ctx.discrete);
        let values = if passed == 0 { &self.initial } else { &self.last };
        for (y, &value) in out.slice(self.output).iter_mut().zip(values) {
            *y = S::constant(value);
        }
    }

    fn update(&self, tick: Tick, _ctx: &Context<f64>, next: &mut [f64]) {
        self.breaks.update(tick, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&Step::new(2, 1.2, 0.0, [1.0, -2.0]).unwrap());
    }

    #[test]
    fn jumps_once() {
        let step = Step::new(2, 1.0, 0.5, [1.0, -2.0]).unwrap();
        let bench = Bench::new(&step);
        assert_eq!(bench.clone().time(0.999).eval(step.output), [0.5, 0.5]);
        assert_eq!(bench.clone().time(1.001).eval(step.output), [1.0, -2.0]);
        // At the instant: old until the event.
        let at = bench.time(1.0);
        assert_eq!(at.eval(step.output), [0.5, 0.5]);
        assert_eq!(at.clone().discrete(at.update(Tick { index: 0 })).eval(step.output), [1.0, -2.0]);
    }

    #[test]
    fn refuses_a_time_that_is_none() {
        let fault = Step::new(1, f64::NAN, 0.0, 1.0).err().unwrap();
        assert_eq!(fault.to_string(), "time[0] is NaN, expected a finite number");
    }
}
