//! An arm lays cables into clips.

use super::run_at;

#[test]
fn all_cables_lie_in_both_clips() {
    let places: Vec<String> = (0..3)
        .flat_map(|c| [4, 13].map(|n| ["x", "y", "z"].map(|a| format!("plant.cable{c}.n{n}.{a}"))))
        .flatten()
        .collect();
    let channels = format!("record.channels=[{}]", places.join(", "));
    let (report, samples) = run_at("cable_routing", "1e-2", &[&channels]);
    // Middle of each clip, direction of its slot.
    let clips = [(4, [0.40, -0.25], 0.0_f64), (13, [0.565, -0.055], 0.96558)];
    for cable in 0..3 {
        for (node, centre, yaw) in clips {
            let [x, y, z] = ["x", "y", "z"].map(|a| samples.last(&format!("plant.cable{cable}.n{node}.{a}")));
            let off = (y - centre[1]) * yaw.cos() - (x - centre[0]) * yaw.sin();
            assert!(off.abs() < 0.015 && z < 0.24, "cable {cable}, node {node}: {off} m beside, {z} m high");
        }
    }
    assert!(report.statistics.max_penetration < 5e-4);
}
