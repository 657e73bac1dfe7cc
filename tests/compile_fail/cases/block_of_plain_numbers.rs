//! A block's mathematics is generic over the scalar, so that it has derivatives.
use kinegraph::prelude::*;

struct Square {
    input: In<Fixed<1>>,
    output: Out<Fixed<1>>,
    ports: Ports,
}

impl LeafSystem for Square {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs(&self, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        let [u] = ctx.get(self.input);
        out.set(self.output, [u * u]);
    }
}

fn main() {}
