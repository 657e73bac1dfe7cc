//! A cylinder that falls on its rim comes to rest on its foot: upright, as deep as its weight presses it in.

use super::{run_at, steps};

#[test]
fn the_cylinder_comes_to_rest_upright_at_its_static_depth() {
    let (weight, stiffness) = (6.3 * 9.81, 1e5);
    let name = "plant.cylinder.cylinder";
    for accuracy in ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5"] {
        let (report, samples) = run_at("cylinder", accuracy, &[]);
        let [z, qx, qy] = ["z", "qx", "qy"].map(|c| samples.last(&format!("{name}.{c}")));
        let tilt = 2.0 * qx.hypot(qy);
        assert!((z - (0.1 - weight / stiffness)).abs() < 1e-6 && tilt < 1e-5, "{accuracy}: {z} m, {tilt} rad");
        let force = samples.last(&format!("{name}.contact.fz"));
        assert!((force - weight).abs() < 1e-3 * weight, "{accuracy}: the ground carries {force} N of {weight} N");
        let deepest = report.statistics.max_penetration;
        assert!(deepest < 0.02, "{accuracy}: {deepest} m deep");
        // Friction and dissipation only take: what is left is the height, and the spring under it.
        let (end, rest) = (report.energy_end.expect("a plant"), weight * (0.1 - weight / stiffness));
        assert!((end - rest).abs() < 1e-3 * rest, "{accuracy}: {end} J, not {rest} J");
    }
}

/// The rows of the table in the README.
pub fn table() -> Vec<String> {
    let row = |accuracy| {
        let (report, samples) = run_at("cylinder", accuracy, &[]);
        let (deepest, height) = (1e3 * report.statistics.max_penetration, samples.last("plant.cylinder.cylinder.z"));
        format!("| {accuracy} | {} | {deepest:.1} mm | {height:.6} m |", steps(&report))
    };
    ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5"].map(row).into()
}
