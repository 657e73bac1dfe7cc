//! Blocks keep no values of their own, and none that are confined to one thread.
use kinegraph::prelude::*;
use std::cell::Cell;

struct Counter {
    output: Out<Fixed<1>>,
    calls: Cell<u64>,
    ports: Ports,
}

impl LeafSystem for Counter {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, _: &Context<S>, out: &mut Outputs<S>) {
        self.calls.set(self.calls.get() + 1);
        out.set(self.output, [S::constant(self.calls.get() as f64)]);
    }
}

fn main() {}
