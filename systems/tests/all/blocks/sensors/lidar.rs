//! Lidars.

use super::two_bodies::{at, plant_with_shapes};
use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sensors::{Lidar, SampleSettings, Scan};
use nalgebra::{Isometry3, Vector3};

fn whole_turn(columns: usize, elevations: Vec<f64>) -> Scan {
    Scan { columns, azimuths: [-std::f64::consts::PI, std::f64::consts::PI], elevations, max_range: 20.0 }
}

/// Beside a ball every ray reads the nearer of the ball's circle, in closed form, and the ground.
#[test]
fn a_scan_is_that_of_the_closed_form() {
    let scan = whole_turn(360, vec![-0.4, 0.0, 0.2]);
    let sensor =
        Lidar::new(&plant_with_shapes(), "drone/body", Isometry3::identity(), &scan, SampleSettings::every(0.1))
            .unwrap();
    conformance::check(&sensor);
    let bench = Bench::new(&sensor).input(sensor.body_poses, [at(0.0, 0.0, 0.0), at(1.5, -0.5, 0.0)].concat());
    let discrete = bench.update(Tick { index: 0 });
    let ranges = bench.discrete(discrete).eval(sensor.ranges);
    let (from, mut met) = (Vector3::new(1.5, -0.5, 0.0), 0);
    for (d, found) in scan.directions().zip(ranges) {
        let middle = -from.dot(&d);
        let square = middle * middle - from.norm_squared() + 0.25;
        // A ray that grazes the ball may meet or miss it.
        if square.abs() < 1e-9 {
            continue;
        }
        let ball = if square >= 0.0 && middle > 0.0 { middle - square.sqrt() } else { f64::INFINITY };
        let ground = if d.z < 0.0 { -1.0 / d.z } else { f64::INFINITY };
        let expected = ball.min(ground).min(20.0);
        met += usize::from(ball < ground);
        assert!((found - expected).abs() < 1e-9, "{d}: {found}, {expected}");
    }
    assert!(met > 50);
}

#[test]
fn a_turn_has_no_ray_twice() {
    assert!((whole_turn(360, vec![0.0]).increment().to_degrees() - 1.0).abs() < 1e-12);
    let part = Scan { azimuths: [-1.0, 1.0], ..whole_turn(21, vec![0.0]) };
    assert!((part.increment() - 0.1).abs() < 1e-12);
    let sensor = |scan: Scan| {
        let every = SampleSettings::every(0.1);
        Lidar::new(&plant_with_shapes(), "drone/body", Isometry3::identity(), &scan, every).err().unwrap().to_string()
    };
    let text = sensor(Scan { azimuths: [0.0, 7.0], ..part.clone() });
    assert_eq!(text, "azimuths[0] is 7, expected two angles, at most a turn apart, in order");
    assert_eq!(sensor(Scan { elevations: Vec::new(), ..part }), "elevations is empty");
}
