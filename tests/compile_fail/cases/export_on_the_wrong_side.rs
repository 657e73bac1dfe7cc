//! An output exported as an input.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, pid: &Pid) {
    b.export_input("effort", pid.effort);
}

fn main() {}
