//! Multiplication by constants.

use crate::parameter::{ParameterError, PerChannel};
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = gain input`, element by element.
pub struct Gain {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    gain: Vec<f64>,
    ports: Ports,
}

impl Gain {
    /// A gain on `width` elements, one for all or one each.
    ///
    /// # Errors
    /// A list of gains that is not `width` long, or a gain that is not finite.
    pub fn new(width: usize, gain: impl Into<PerChannel>) -> Result<Self, ParameterError> {
        let gain = gain.into().expand("gain", width)?;
        let mut ports = Ports::new();
        Ok(Gain {
            input: ports.input_of_width("input", width),
            output: ports.output_of_width("output", width),
            gain,
            ports,
        })
    }
}

impl LeafSystem for Gain {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for ((y, &u), &gain) in out.slice(self.output).iter_mut().zip(ctx.get(self.input)).zip(&self.gain) {
            *y = S::constant(gain) * u;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&Gain::new(9, -2.5).unwrap());
    }

    #[test]
    fn multiplies_each_element_by_its_own_gain() {
        let gain = Gain::new(2, [2.0, -3.0]).unwrap();
        assert_eq!(Bench::new(&gain).input(gain.input, [5.0, 7.0]).eval(gain.output), [10.0, -21.0]);
        let jacobian = Bench::new(&gain).input(gain.input, [5.0, 7.0]).jacobian(gain.input, gain.output);
        assert_eq!(jacobian, nalgebra::DMatrix::from_row_slice(2, 2, &[2.0, 0.0, 0.0, -3.0]));
    }

    #[test]
    fn refuses_a_list_of_another_length() {
        assert_eq!(Gain::new(3, [1.0, 2.0]).err().unwrap().to_string(), "gain has 2 elements, expected 3");
    }
}
