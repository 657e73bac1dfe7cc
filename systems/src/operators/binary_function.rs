//! Elementary functions of two signals.

use super::elementary::Binary;
use crate::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = f(a, b)`, element by element.
pub struct BinaryFunction {
    /// First argument, width n.
    pub a: In<Dyn>,
    /// Second argument, width n.
    pub b: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    function: Binary,
    ports: Ports,
}

impl BinaryFunction {
    /// `function` of `width` pairs of elements.
    pub fn new(width: usize, function: Binary) -> Self {
        let mut ports = Ports::new();
        let (a, b) = (ports.input_of_width("a", width), ports.input_of_width("b", width));
        BinaryFunction { a, b, output: ports.output_of_width("output", width), function, ports }
    }
}

impl LeafSystem for BinaryFunction {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        !self.function.is_smooth()
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let arguments = ctx.get(self.a).iter().zip(ctx.get(self.b));
        for (y, (&a, &b)) in out.slice(self.output).iter_mut().zip(arguments) {
            *y = self.function.apply(a, b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, Sample, conformance};

    #[test]
    fn every_function_conforms() {
        for (_, function) in Binary::NAMES {
            let sample = |a: [f64; 2], b: [f64; 2]| Sample {
                time: 0.0,
                state: vec![],
                discrete: vec![],
                inputs: vec![Some(a.to_vec()), Some(b.to_vec())],
            };
            let samples = [sample([0.3, 0.7], [0.5, -0.4]), sample([1.2, 0.4], [-3.0, 0.9])];
            conformance::check_at(&BinaryFunction::new(2, *function), &samples);
        }
    }

    #[test]
    fn values_are_the_known_ones() {
        for (name, a, b, expected) in [
            ("atan2", 1.0, -1.0, 0.75 * std::f64::consts::PI),
            ("hypot", 3.0, -4.0, 5.0),
            ("min", 3.0, -4.0, -4.0),
            ("max", 3.0, -4.0, 3.0),
            ("power", 2.0, -2.0, 0.25),
        ] {
            let function = BinaryFunction::new(1, Binary::named(name).unwrap());
            let bench = Bench::new(&function).input(function.a, [a]).input(function.b, [b]);
            assert!((bench.eval(function.output)[0] - expected).abs() < 1e-15, "{name}");
        }
    }
}
