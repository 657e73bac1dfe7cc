//! Depth cameras.

use super::two_bodies::{at, plant_with_shapes};
use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sensors::{DepthCamera, Lens, SampleSettings};
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::PI;

/// A camera that looks straight down sees the ground at one depth all over the picture, and the ball in front of it at
/// the place that the lens gives.
#[test]
fn the_ground_has_one_depth_and_a_ball_its_outline() {
    let lens = Lens { columns: 40, rows: 30, field_of_view: 1.2, max_depth: 50.0 };
    let down = Isometry3::rotation(Vector3::x() * PI);
    let sensor = DepthCamera::new(&plant_with_shapes(), "drone/body", down, &lens, SampleSettings::every(0.1)).unwrap();
    conformance::check(&sensor);
    let bench = Bench::new(&sensor).input(sensor.body_poses, [at(0.0, 0.0, 0.0), at(0.0, 0.0, 4.0)].concat());
    let discrete = bench.update(Tick { index: 0 });
    let depth = bench.discrete(discrete).eval(sensor.depth);
    // The outline of a ball of radius r at the distance d is a cone with the sine r/d.
    let outline = (0.5_f64 / 4.0).asin();
    let mut of_ball = 0;
    for (d, depth) in lens.directions().zip(depth) {
        let angle = d.xy().norm().atan();
        if angle > outline {
            assert!((depth - 5.0).abs() < 1e-9, "{depth}");
        } else {
            of_ball += 1;
            assert!((3.5..4.0).contains(&depth), "{depth}");
        }
    }
    assert!(of_ball > 20, "{of_ball}");
}
