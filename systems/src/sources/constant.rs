//! A constant vector.

use crate::parameter::{self, ParameterError};
use crate::{Context, Dyn, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = value` at all times.
pub struct Constant {
    /// The value (width and units of the parameter).
    pub output: Out<Dyn>,
    value: Vec<f64>,
    ports: Ports,
}

impl Constant {
    /// A source of `value`.
    ///
    /// # Errors
    /// An element that is not finite.
    pub fn new(value: impl Into<Vec<f64>>) -> Result<Self, ParameterError> {
        let value = value.into();
        parameter::finite("value", &value)?;
        let mut ports = Ports::new();
        Ok(Constant { output: ports.output_of_width("output", value.len()), value, ports })
    }
}

impl LeafSystem for Constant {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, _ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &value) in out.slice(self.output).iter_mut().zip(&self.value) {
            *y = S::constant(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, conformance};

    #[test]
    fn conforms() {
        conformance::check(&Constant::new([1.0, -2.0]).unwrap());
    }

    #[test]
    fn is_the_same_at_all_times() {
        let constant = Constant::new([1.0, -2.0]).unwrap();
        for time in [0.0, 1e6] {
            assert_eq!(Bench::new(&constant).time(time).eval(constant.output), [1.0, -2.0]);
        }
    }

    #[test]
    fn refuses_what_is_not_a_number() {
        let fault = Constant::new([0.0, f64::NAN]).err().unwrap();
        assert_eq!(fault.to_string(), "value[1] is NaN, expected a finite number");
    }
}
