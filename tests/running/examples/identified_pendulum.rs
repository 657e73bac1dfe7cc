//! The recording of a double pendulum says what its lower rod and its joints are.

use super::fitted::{Truth, fitted};

const TRUE: [Truth; 5] = [
    ("mass", 0.7, "0.1:3"),
    ("centre", 0.42, "0.1:0.9"),
    ("inertia", 0.05, "0.01:0.5"),
    ("upper_damping", 0.02, "0.001:1"),
    ("lower_damping", 0.05, "0.001:1"),
];

#[test]
fn the_rod_is_found_from_noisy_angles() {
    let matches = ["j1", "j2"].map(|one| format!("plant.pendulum.{one}.q=encoders.pendulum.{one}.position"));
    let found = fitted("identified_pendulum", &matches, &TRUE);
    assert!(found.halves.iter().zip(TRUE).all(|(half, (_, truth, _))| *half < 0.2 * truth), "{:?}", found.halves);
    assert!(found.differences.iter().all(|one| (one - 0.01).abs() < 1e-3), "{:?}", found.differences);
}
