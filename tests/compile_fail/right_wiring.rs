//! The right counterpart of the cases: three numbers drive three.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, position: Out<Fixed<3>>, target: In<Fixed<3>>) {
    b.connect(position, target);
}

fn main() {
    let _: fn(&mut DiagramBuilder, Out<Fixed<3>>, In<Fixed<3>>) = wire;
}
