//! A struct that is not a block cannot be added.
use kinegraph::prelude::*;

struct Motor {
    torque_constant: f64,
}

fn wire(b: &mut DiagramBuilder) {
    b.add("motor", Motor { torque_constant: 0.1 });
}

fn main() {}
