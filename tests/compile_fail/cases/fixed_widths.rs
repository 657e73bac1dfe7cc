//! Three numbers do not drive four.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, position: Out<Fixed<3>>, quaternion: In<Fixed<4>>) {
    b.connect(position, quaternion);
}

fn main() {}
