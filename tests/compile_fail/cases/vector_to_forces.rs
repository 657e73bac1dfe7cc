//! Numbers without meaning are not forces on bodies.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, plant: &MultibodyPlant, gain: &Gain) {
    b.connect(gain.output, plant.applied_spatial_force("arm"));
}

fn main() {}
