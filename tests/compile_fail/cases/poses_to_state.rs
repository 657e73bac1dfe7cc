//! Poses of bodies are not the state that a controller compares.
use kinegraph::prelude::*;

fn wire(b: &mut DiagramBuilder, plant: &MultibodyPlant, pid: &Pid) {
    b.connect(plant.body_poses(), pid.measured);
}

fn main() {}
