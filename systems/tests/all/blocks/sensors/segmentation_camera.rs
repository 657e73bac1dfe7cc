//! Segmentation cameras: pictures of the body and the shape in each pixel.

use super::two_bodies::{at, plant_with_shapes};
use kinegraph_core::LeafSystem;
use kinegraph_core::picture::Shows;
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sensors::{Lens, SegmentationCamera, Shutter};
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::PI;

/// A camera that looks straight down sees the ground, and the ball in front of it within its outline.
#[test]
fn a_ball_stands_before_the_ground() {
    let lens = Lens { columns: 40, rows: 30, field_of_view: 1.2, max_depth: 50.0 };
    let down = Isometry3::rotation(Vector3::x() * PI);
    let shutter = Shutter { sampling: Sampling::every(0.1), latency: 0.0 };
    let plant = plant_with_shapes();
    let sensor = SegmentationCamera::new(&plant, "drone/body", down, &lens, shutter).unwrap();
    conformance::check(&sensor);
    let bench = Bench::new(&sensor).input(sensor.body_poses, [at(0.0, 0.0, 0.0), at(0.0, 0.0, 4.0)].concat());
    let discrete = bench.update(Tick { index: 0 });
    let bench = bench.discrete(discrete);
    let (bodies, shapes) = (bench.eval(sensor.bodies), bench.eval(sensor.shapes));
    let names = |port: usize| match &sensor.ports().outputs()[port].picture.as_ref().unwrap().shows {
        Shows::Labels { names, .. } => names.clone(),
        other => panic!("{other:?}"),
    };
    let (of_bodies, of_shapes) = (names(0), names(1));
    let name = |names: &[String], label: f64| names[label as usize - 1].clone();
    // The outline of a ball of radius r at the distance d is a cone with the sine r/d.
    let outline = (0.5_f64 / 4.0).asin();
    for ((d, body), shape) in lens.directions().zip(&bodies).zip(&shapes) {
        let expected = if d.xy().norm().atan() < outline { "other/body" } else { "world" };
        assert_eq!(name(&of_bodies, *body), expected);
        assert!(name(&of_shapes, *shape).starts_with(expected));
    }
    let blind = Lens { max_depth: 3.0, ..lens };
    let sensor = SegmentationCamera::new(&plant, "drone/body", down, &blind, shutter).unwrap();
    let bench = Bench::new(&sensor).input(sensor.body_poses, [at(0.0, 0.0, 0.0), at(0.0, 0.0, 4.0)].concat());
    assert!(bench.update(Tick { index: 0 }).iter().all(|label| *label == 0.0));
}
