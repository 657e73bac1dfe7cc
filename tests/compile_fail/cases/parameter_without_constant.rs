//! Parameters are plain numbers; in the mathematics they become constants of the scalar.
use kinegraph::prelude::*;

struct Scale {
    input: In<Fixed<1>>,
    output: Out<Fixed<1>>,
    factor: f64,
    ports: Ports,
}

impl LeafSystem for Scale {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let [u] = ctx.get(self.input);
        out.set(self.output, [self.factor * u]);
    }
}

fn main() {}
