//! The torques of an arm say what it carries.

use super::fitted::{Truth, fitted};

const TRUE: [Truth; 4] =
    [("mass", 1.7, "0.05:10"), ("x", 0.03, "-0.3:0.3"), ("y", -0.02, "-0.3:0.3"), ("z", 0.08, "-0.3:0.3")];

#[test]
fn the_payload_is_found_from_torques() {
    let matches: Vec<String> = (0..7).map(|i| format!("controller.generalized_force[{i}]=torque{}", i + 1)).collect();
    let found = fitted("payload", &matches, &TRUE);
    assert!(found.halves[0] < 0.02 && found.halves[1..].iter().all(|half| *half < 0.01), "{:?}", found.halves);
    assert!(found.differences.iter().all(|one| (one - 0.2).abs() < 0.03), "{:?}", found.differences);
}
