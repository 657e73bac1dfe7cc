//! Bodies that friction brings to rest. If the motion ends within a step, neither end of the step shows when it did,
//! and the distance until then must not be lost.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::systems::multibody::PlantBuilder;
use kinegraph::systems::multibody::plant::ContactParameters;

const G: f64 = 9.81;

/// A flat box that slides on the ground along x and y, on its static depth.
fn sliding(mass: f64, half: [f64; 3], stiffness: f64, friction: f64, velocity: [f64; 2]) -> Diagram {
    let law = ContactParameters { stiction_tolerance: 1e-5, ..contact(stiffness, 10.0, friction) };
    let at = [0.0, 0.0, half[2] - mass * G / stiffness];
    let base = thrown(at, [0.0; 3], [velocity[0], velocity[1], 0.0]);
    alone(PlantBuilder::new().ground(0.0).contact(law).model("b", cuboid(mass, half), base))
}

/// Error of the box in accuracies at `time`, relative to the distance that friction allows.
fn error(diagram: &Diagram, options: Options, accuracy: f64, time: f64, way: f64) -> f64 {
    let simulation = run(diagram, options, time);
    let x = &simulation.state().continuous;
    (x[4].hypot(x[5]) - way).abs() / accuracy
}

#[test]
fn a_box_goes_as_far_as_friction_lets_it() {
    for speed in [1.0, 1.1] {
        let diagram = sliding(1.0, [0.2, 0.15, 0.03], 1e6, 0.5, [speed, 0.0]);
        let way = 0.5 * speed * speed / (0.5 * G);
        for accuracy in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
            for options in [Options::cenic(accuracy), Options::cenic_trapezoid(accuracy)] {
                let error = error(&diagram, options, accuracy, 0.5, way);
                assert!(error < 2.0, "{speed} m/s at {accuracy:e}: {error} accuracies");
            }
        }
    }
}

#[test]
fn random_boxes_come_to_rest_where_they_should() {
    let mut random = Random(152);
    for seed in 0..12 {
        let (mass, stiffness, friction) = (random.log(0.1, 10.0), random.log(1e6, 1e7), random.log(0.1, 1.0));
        let half = [random.log(0.1, 0.3), random.log(0.1, 0.3), random.log(5e-3, 1e-2)];
        let (speed, turn) = (random.log(0.2, 3.0), random.log(0.1, 6.0));
        let diagram = sliding(mass, half, stiffness, friction, [speed * turn.cos(), speed * turn.sin()]);
        let (way, time) = (0.5 * speed * speed / (friction * G), speed / (friction * G));
        for accuracy in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
            let error = error(&diagram, Options::cenic(accuracy), accuracy, 1.5 * time, way);
            assert!(error < 5.0, "box {seed} at {accuracy:e}: {error} accuracies");
        }
    }
}
