//! Plants of MJCF files, under constant controls.

use crate::common::run;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::Options;
use kinegraph::systems::models::{LoadOptions, parse_mjcf};
use kinegraph::systems::multibody::{Base, MultibodyPlant, PlantBuilder};

/// A plant of one model, its gravity that of the file.
pub fn plant(text: &str) -> MultibodyPlant {
    let model = parse_mjcf(text, "test.xml", &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model;
    let gravity = model.scene.gravity.unwrap().into();
    let plant = PlantBuilder::new().gravity(gravity).model("m", model, Base::fixed()).build();
    plant.unwrap_or_else(|error| panic!("{error}"))
}

/// The plant under constant controls.
pub fn diagram(text: &str, controls: &[f64]) -> Diagram {
    let mut b = DiagramBuilder::new("mjcf");
    let plant = b.add("plant", plant(text));
    if !controls.is_empty() {
        b.fix(plant.actuation("m"), controls.to_vec());
    }
    b.build().unwrap()
}

/// The continuous state at a time.
pub fn end(diagram: &Diagram, options: Options, time: f64) -> Vec<f64> {
    run(diagram, options, time).state().continuous.clone()
}
