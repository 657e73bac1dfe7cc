//! Range finders.

use super::two_bodies::{at, plant_with_shapes};
use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sensors::{RangeFinder, SampleSettings};
use nalgebra::{Isometry3, Vector3};

fn reading(link: &str, X_LS: Isometry3<f64>, max_range: f64, settings: SampleSettings) -> f64 {
    let sensor = RangeFinder::new(&plant_with_shapes(), link, X_LS, max_range, settings).unwrap();
    conformance::check(&sensor);
    // `other` is a ball of radius 0.5 at the origin, `drone` a box 3 m along x of it, the ground 1 m below.
    let bench = Bench::new(&sensor).input(sensor.body_poses, [at(0.0, 0.0, 0.0), at(3.0, 0.0, 0.0)].concat());
    let discrete = bench.update(Tick { index: 0 });
    bench.discrete(discrete).eval(sensor.range)[0]
}

#[test]
fn reads_the_distance_to_the_first_shape() {
    let every = SampleSettings::every(0.1);
    let back = Isometry3::rotation(Vector3::z() * std::f64::consts::PI);
    assert!((reading("drone/body", back, 10.0, every.clone()) - 2.5).abs() < 1e-12);
    // Its own link is passed through, and so is nothing: the end of the range.
    assert_eq!(reading("drone/body", Isometry3::identity(), 10.0, every.clone()), 10.0);
    let down = Isometry3::rotation(Vector3::y() * std::f64::consts::FRAC_PI_2);
    assert!((reading("drone/body", down, 10.0, every.clone()) - 1.0).abs() < 1e-12);
    assert_eq!(reading("drone/body", down, 0.7, every.clone()), 0.7);
    // Spoilt readings stay within the range, and nothing stays nothing.
    let noisy = SampleSettings { noise: 100.0.into(), ..every };
    assert_eq!(reading("drone/body", Isometry3::identity(), 10.0, noisy.clone()), 10.0);
    assert!((0.0..=10.0).contains(&reading("drone/body", down, 10.0, noisy)));
}
