//! An input of fixed width is an array of that width.
use kinegraph::prelude::*;

struct Norm {
    input: In<Fixed<3>>,
    output: Out<Fixed<1>>,
    ports: Ports,
}

impl LeafSystem for Norm {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let [x, y] = ctx.get(self.input);
        out.set(self.output, [(x * x + y * y).sqrt()]);
    }
}

fn main() {}
