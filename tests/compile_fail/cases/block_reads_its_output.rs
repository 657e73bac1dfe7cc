//! A block reads inputs and writes outputs.
use kinegraph::prelude::*;

struct Square {
    output: Out<Fixed<1>>,
    ports: Ports,
}

impl LeafSystem for Square {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let [u] = ctx.get(self.output);
        out.set(self.output, [u * u]);
    }
}

fn main() {}
