//! Sample and hold.

use crate::parameter::{self, ParameterError, PerChannel};
use crate::port::{Sampling, Tick};
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Takes its input at every event and holds it: `output(t) = input(tₖ)` for `tₖ <= t < tₖ₊₁`, the input being the one
/// just before tₖ.
pub struct ZeroOrderHold {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    ports: Ports,
}

impl ZeroOrderHold {
    /// A hold of `width` elements that shows `initial` up to its first event.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite, a period that is not positive, a negative offset.
    pub fn new(width: usize, sampling: Sampling, initial: impl Into<PerChannel>) -> Result<Self, ParameterError> {
        let (sampling, initial) = (parameter::sampling(sampling)?, initial.into().expand("initial", width)?);
        let mut ports = Ports::new();
        let input = ports.input_of_width("input", width);
        let output = ports.output_of_width("output", width);
        ports.no_feedthrough(output);
        ports.periodic(sampling);
        ports.discrete_state("held", initial);
        Ok(ZeroOrderHold { input, output, ports })
    }
}

impl LeafSystem for ZeroOrderHold {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &held) in out.slice(self.output).iter_mut().zip(ctx.discrete) {
            *y = S::constant(held);
        }
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        next.copy_from_slice(ctx.get(self.input));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&ZeroOrderHold::new(2, Sampling::every(0.1), [1.0, -1.0]).unwrap());
    }

    #[test]
    fn shows_its_sample_whatever_the_input_does() {
        let hold = ZeroOrderHold::new(2, Sampling::every(0.1), [1.0, -1.0]).unwrap();
        let bench = Bench::new(&hold).input(hold.input, [5.0, 6.0]);
        assert_eq!(bench.eval(hold.output), [1.0, -1.0]);
        let held = bench.update(Tick { index: 0 });
        assert_eq!(bench.input(hold.input, [7.0, 8.0]).discrete(held).eval(hold.output), [5.0, 6.0]);
    }

    #[test]
    fn refuses_periods_that_do_not_go_on() {
        let fault = |period, offset| ZeroOrderHold::new(1, Sampling { period, offset }, 0.0).err().unwrap().to_string();
        assert_eq!(fault(-1.0, 0.0), "period[0] is -1, expected a number above 0");
        assert_eq!(fault(1.0, -1.0), "offset[0] is -1, expected a number that is not negative");
        assert_eq!(fault(f64::INFINITY, 0.0), "period[0] is inf, expected a finite number");
    }
}
