//! A choice between two signals.

use crate::parameter::{self, ParameterError};
use crate::port::{Crossing, Witness};
use crate::{Context, Dyn, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = above` where `control >= threshold`, `below` elsewhere.
///
/// The block has no memory. Where the control crosses the threshold the output may jump, so a witness function ends the
/// step there; at the threshold itself `above` holds.
pub struct Switch {
    /// What decides, one number.
    pub control: In<Fixed<1>>,
    /// Width n.
    pub above: In<Dyn>,
    /// Width n.
    pub below: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    /// `control - threshold`.
    pub crossing: Witness,
    threshold: f64,
    ports: Ports,
}

impl Switch {
    /// A switch of signals of `width`.
    ///
    /// # Errors
    /// A threshold that is not finite.
    pub fn new(width: usize, threshold: f64) -> Result<Self, ParameterError> {
        parameter::finite("threshold", &[threshold])?;
        let mut ports = Ports::new();
        Ok(Switch {
            control: ports.input("control"),
            above: ports.input_of_width("above", width),
            below: ports.input_of_width("below", width),
            output: ports.output_of_width("output", width),
            crossing: ports.witness("control", Crossing::Either),
            threshold,
            ports,
        })
    }
}

impl LeafSystem for Switch {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let [control] = ctx.get(self.control);
        let chosen = if control.value() >= self.threshold { self.above } else { self.below };
        out.set(self.output, ctx.get(chosen));
    }

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        let [control] = ctx.get(self.control);
        values[0] = control - self.threshold;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&Switch::new(3, 0.1).unwrap());
    }

    #[test]
    fn chooses_by_its_control() {
        let switch = Switch::new(2, 0.5).unwrap();
        let bench = Bench::new(&switch).input(switch.above, [1.0, 2.0]).input(switch.below, [-1.0, -2.0]);
        for (control, expected) in [(0.0, [-1.0, -2.0]), (0.5, [1.0, 2.0]), (0.75, [1.0, 2.0])] {
            let bench = bench.clone().input(switch.control, [control]);
            assert_eq!(bench.eval(switch.output), expected, "at {control}");
            assert_eq!(bench.witnesses(), [control - 0.5]);
        }
    }
}
