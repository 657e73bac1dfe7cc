//! Bodies that are set down on a slope and slide: the first milliseconds, in which the normal force settles, determine
//! their speed. Friction must not lag behind it by a step.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::Options;
use kinegraph::systems::multibody::PlantBuilder;
use kinegraph::systems::multibody::plant::ContactParameters;

const G: f64 = 9.81;

/// A block of random size, mass, stiffness, slope and friction, set down without its static depth.
fn set_down(random: &mut Random) -> Diagram {
    let (mass, stiffness) = (random.log(0.3, 3.0), random.log(2e4, 1e6));
    let half = [random.log(0.05, 0.15), random.log(0.05, 0.15), random.log(0.025, 0.06)];
    let slope: f64 = random.log(0.35, 0.6);
    let friction = slope.tan() * random.log(0.5, 0.9);
    let law = ContactParameters { stiction_tolerance: 1e-3, ..contact(stiffness, 10.0, friction) };
    let plant = PlantBuilder::new().gravity([G * slope.sin(), 0.0, -G * slope.cos()]).ground(0.0).contact(law).model(
        "b",
        cuboid(mass, half),
        thrown([0.0, 0.0, half[2]], [0.0; 3], [0.0; 3]),
    );
    alone(plant)
}

#[test]
fn a_block_that_is_set_down_slides_as_fast_as_a_tight_run_says() {
    let mut random = Random(24);
    for seed in 0..8 {
        let diagram = set_down(&mut random);
        let exact = run(&diagram, Options::dopri5(1e-9), 1.0).state().continuous.clone();
        for (accuracy, most) in [(1e-2, 3.0), (1e-3, 3.0), (1e-4, 20.0)] {
            let simulation = run(&diagram, Options::cenic(accuracy), 1.0);
            let x = &simulation.state().continuous;
            let error = (4..7).map(|i| (x[i] - exact[i]).abs()).fold(0.0, f64::max) / accuracy;
            assert!(error < most, "block {seed} at {accuracy:e}: {error} accuracies");
        }
    }
}
