//! Readings of a rover's lidar, depth camera and labels agree with closed forms of the objects around it.

use super::{channel, open, pose, run_at, steps};
use kinegraph::simulate::{Sampler, Simulation};
use nalgebra::{Isometry3, Vector2, Vector3};
use std::f64::consts::{FRAC_PI_2, PI};

/// Objects in the yard, as in `yard.urdf`: centres and half widths of boxes, and a pillar, seen from above.
const BOXES: [[[f64; 2]; 2]; 3] = [[[2.55, 0.6], [0.05, 1.7]], [[0.8, 2.35], [1.8, 0.05]], [[1.9, -0.55], [0.2, 0.2]]];
const PILLAR: ([f64; 2], f64) = ([1.7, 1.5], 0.2);
/// The end of the range of the lidar and the standard deviation of its noise \[m\].
const END: f64 = 8.0;
const NOISE: f64 = 0.005;

/// Distance along a ray in the plane to the nearest object; infinite without one.
fn distance(p: Vector2<f64>, d: Vector2<f64>) -> f64 {
    let to_box = |[middle, half]: &[[f64; 2]; 2]| {
        let (mut enters, mut leaves) = (f64::NEG_INFINITY, f64::INFINITY);
        for k in 0..2 {
            let ends = [-half[k], half[k]].map(|end| (middle[k] + end - p[k]) / d[k]);
            (enters, leaves) = (enters.max(ends[0].min(ends[1])), leaves.min(ends[0].max(ends[1])));
        }
        if enters <= leaves && enters > 0.0 { enters } else { f64::INFINITY }
    };
    let from = p - Vector2::from(PILLAR.0);
    let (middle, square) = (-from.dot(&d), from.dot(&d).powi(2) - from.norm_squared() + PILLAR.1.powi(2));
    let pillar = if square > 0.0 && middle > 0.0 { middle - square.sqrt() } else { f64::INFINITY };
    BOXES.iter().map(to_box).fold(pillar, f64::min)
}

/// Expected reading of the lidar at an azimuth, at this pose of the rover.
fn expected(base: &Isometry3<f64>, azimuth: f64) -> f64 {
    let p = base * nalgebra::Point3::new(0.1, 0.0, 0.27);
    let d = base.rotation * Vector3::new(azimuth.cos(), azimuth.sin(), 0.0);
    let plane = d.xy().norm();
    distance(p.coords.xy(), d.xy() / plane) / plane
}

fn all(simulation: &Simulation, output: &str) -> Vec<f64> {
    let diagram = simulation.diagram();
    let channels = diagram.find_channels(output).expect("an output");
    Sampler::new(diagram, &channels).sample(simulation.state(), &[]).values().to_vec()
}

#[test]
fn sensors_of_the_rover_read_its_surroundings() {
    let (_, mut simulation) = open("examples/rover/rover.yaml");
    // Where it stands still, so that the readings are of now.
    for (time, turn) in [(3.45, 0.0), (5.45, FRAC_PI_2)] {
        simulation.advance_to(time).expect("a run");
        let base = pose(&mut simulation, "rover.base");
        let heading = base.rotation.euler_angles().2;
        assert!((heading - turn).abs() < 0.05, "{heading} rad at {time} s");
        let (mut squares, mut count) = (0.0, 0);
        for (i, range) in all(&simulation, "scan.ranges").into_iter().enumerate() {
            let azimuth = -PI + i as f64 * PI / 180.0;
            let reads = expected(&base, azimuth);
            // At an edge a ray meets one or the other.
            let beside = [-2e-3, 2e-3].map(|turn| expected(&base, azimuth + turn).min(END));
            if beside.iter().any(|other| (other - reads.min(END)).abs() > 0.05) {
                continue;
            }
            if reads > END {
                assert_eq!(range, END, "{azimuth} rad");
                continue;
            }
            assert!((range - reads).abs() < 5.0 * NOISE, "{azimuth} rad at {time} s: {range} m instead of {reads} m");
            squares += (range - reads).powi(2);
            count += 1;
        }
        let deviation = (squares / f64::from(count)).sqrt();
        assert!(count > 100 && (deviation / NOISE - 1.0).abs() < 0.2, "{count} rays, {deviation} m");

        let (depth, bodies) = (all(&simulation, "eye.depth"), all(&simulation, "labels.bodies"));
        // World, base, two wheels, yard, from one on: ground below, the yard before it, nothing of its own.
        let count = |label: f64| bodies.iter().filter(|body| **body == label).count();
        assert_eq!(depth.len(), 160 * 120);
        assert!(count(1.0) > 2000 && count(5.0) > 2000, "{} and {}", count(1.0), count(5.0));
        assert_eq!(count(0.0) + count(1.0) + count(5.0), depth.len());
        for (depth, body) in depth.iter().zip(&bodies) {
            assert_eq!(*depth == 6.0, *body == 0.0, "{depth} m, label {body}");
        }
    }
    let gyro = channel(&mut simulation, "plant.rover.sensors.imu.angular_velocity.z");
    assert!(gyro.abs() < 0.01, "{gyro} rad/s at rest");
}

/// The rows of the table in the README.
pub fn table() -> Vec<String> {
    let row = |accuracy| {
        let (report, samples) = run_at("rover", accuracy, &[]);
        let [wall, end] = [3.4, 7.4].map(|time| samples.at(time, "scan.ranges[180]"));
        let turn = samples.at(4.25, "plant.rover.sensors.imu.angular_velocity.z");
        format!("| {accuracy} | {} | {wall:.3} m | {end:.3} m | {turn:.2} rad/s |", steps(&report))
    };
    ["1e-2", "1e-3", "1e-4"].map(row).into()
}
