//! Elementary functions of a signal.

use super::elementary::Elementary;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// `output = f(input)`, element by element.
pub struct Function {
    /// Width n.
    pub input: In<Dyn>,
    /// Width n.
    pub output: Out<Dyn>,
    function: Elementary,
    ports: Ports,
}

impl Function {
    /// `function` of `width` elements.
    pub fn new(width: usize, function: Elementary) -> Self {
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        Function { input, output, function, ports }
    }
}

impl LeafSystem for Function {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        !self.function.is_smooth()
    }

    fn kinks(&self, ctx: &Context<f64>, see: &mut dyn FnMut(f64)) {
        if self.function.bends() {
            ctx.get(self.input).iter().for_each(|u| see(*u));
        }
    }

    fn next_level(&self, _input: usize, _element: usize, way: (f64, f64)) -> Option<f64> {
        self.function.next_kink(way)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for (y, &u) in out.slice(self.output).iter_mut().zip(ctx.get(self.input)) {
            *y = self.function.apply(u);
        }
    }
}
