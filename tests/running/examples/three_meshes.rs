//! A ring of convex parts falls over a post, which its hull would not let pass; a die falls into a bowl, which its hull
//! would not let in. All bodies come to rest on their supports.

use super::{run, run_at, steps};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

const CHANNELS: &str = "record.channels=[plant.ring.ring.pose, plant.bowl.bowl.pose, plant.die.die.pose]";

#[test]
fn the_ring_lies_around_the_post_and_the_die_in_the_bowl() {
    for accuracy in ["1e-1", "1e-2", "1e-3"] {
        let (report, samples) = run_at("three_meshes", accuracy, &[CHANNELS]);
        let last = |name: &str, c: &str| samples.last(&format!("plant.{name}.{name}.pose.{c}"));
        let place = |name: &str| Vector3::from(["px", "py", "pz"].map(|c| last(name, c)));
        let up = |name: &str| {
            let [w, x, y, z] = ["qw", "qx", "qy", "qz"].map(|c| last(name, c));
            UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)) * Vector3::z()
        };
        // Its tube has eight sides and stands on one of them.
        let ring = place("ring");
        let tube = 0.03 * (std::f64::consts::PI / 8.0).cos();
        assert!((ring.z - tube).abs() < 1e-4 && up("ring").z > 1.0 - 1e-6, "{accuracy}: the ring is at {ring}");
        // The hole is 70 mm less the corners of the tube, the post 30 mm.
        let aside = (ring - Vector3::new(-0.3, 0.0, 0.0)).xy().norm();
        assert!(aside < 0.0425, "{accuracy}: the ring is {aside} m beside the post");

        let (bowl, die) = (place("bowl"), place("die"));
        assert!(bowl.z.abs() < 1e-3 && up("bowl").z > 1.0 - 1e-4, "{accuracy}: the bowl is at {bowl}");
        // On one of its twelve faces, on the floor of 12 mm; or against the wall, if it still rocks.
        let above = die.z - bowl.z - 0.012;
        let inradius = 0.05 * ((5.0 + 2.0 * 5.0_f64.sqrt()) / 15.0).sqrt();
        assert!((above - inradius).abs() < 2e-3, "{accuracy}: the die is {above} m above the floor, not {inradius}");
        let aside = (die - bowl).xy().norm();
        assert!(aside < 0.065, "{accuracy}: the die is {aside} m beside the middle of the bowl");
        let deepest = report.statistics.max_penetration;
        assert!(deepest < 6e-3, "{accuracy}: {deepest} m deep");
    }
}

/// With hulls the ring stops on the post, and the die on what would be the lid of the bowl.
#[test]
fn hulls_would_neither_let_the_post_nor_the_die_pass() {
    let hulls = ["ring", "bowl"].map(|name| format!("systems.plant.models.{name}.meshes=hull"));
    let settings = [CHANNELS, &hulls[0], &hulls[1], "simulation.duration=0.5"];
    let (_, samples) = run("three_meshes", &settings);
    let lowest = |name: &str| {
        samples.series(&format!("plant.{name}.{name}.pose.pz")).map(|(_, z)| z).fold(f64::INFINITY, f64::min)
    };
    assert!(lowest("die") > 0.12, "{}", lowest("die"));
    let first = samples.series("plant.ring.ring.pose.pz").find(|(t, _)| *t > 0.25).expect("a sample").1;
    assert!(first > 0.2, "{first}");
}

/// The rows of the table in the README.
pub fn table() -> Vec<String> {
    let row = |accuracy| {
        let (report, samples) = run_at("three_meshes", accuracy, &[]);
        let [ring, bowl, die] = ["ring", "bowl", "die"].map(|name| samples.last(&format!("plant.{name}.{name}.z")));
        let deepest = 1e3 * report.statistics.max_penetration;
        format!("| {accuracy} | {} | {deepest:.1} mm | {ring:.4} m | {:.4} m |", steps(&report), die - bowl - 0.012)
    };
    ["1e-1", "1e-2", "1e-3", "1e-4"].map(row).into()
}
