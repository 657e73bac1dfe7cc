//! Elementary functions of two signals.

use super::elementary::Binary;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

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
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        !self.function.is_smooth()
    }

    fn kinks(&self, ctx: &Context<f64>, see: &mut dyn FnMut(f64)) {
        if self.function.bends() {
            ctx.get(self.a).iter().zip(ctx.get(self.b)).for_each(|(a, b)| see(a - b));
        }
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let arguments = ctx.get(self.a).iter().zip(ctx.get(self.b));
        for (y, (&a, &b)) in out.slice(self.output).iter_mut().zip(arguments) {
            *y = self.function.apply(a, b);
        }
    }
}
