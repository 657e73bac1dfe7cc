//! Exports of a nested diagram have a direction, too.
use kinegraph::diagram::SubDiagram;
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, servo: SubDiagram, gain: &Gain) {
    b.connect(servo.output("effort"), gain.output);
}

fn main() {}
