//! Fibres fall through a funnel.

use super::run;

#[test]
fn all_fibres_pass_the_hole() {
    let places: Vec<String> = (0..6).flat_map(|f| ["x", "y", "z"].map(|c| format!("plant.f{f}.n6.{c}"))).collect();
    let channels = format!("record.channels=[{}]", places.join(", "));
    let (report, samples) = run("funnel", &[&channels, "simulation.accuracy=1e-2"]);
    for f in 0..6 {
        let of = |c: &str| -> Vec<f64> { samples.series(&format!("plant.f{f}.n6.{c}")).map(|(_, x)| x).collect() };
        let [x, y, z] = ["x", "y", "z"].map(of);
        for i in (0..z.len()).filter(|&i| (-0.02..0.0).contains(&z[i])) {
            // The upper end passes between the walls.
            assert!(x[i].abs() < 5e-3 && y[i].abs() < 5e-3, "{f}: {} {} {}", x[i], y[i], z[i]);
        }
        assert!(z.last().is_some_and(|z| *z < -0.02), "{f} is at {z:?}");
    }
    assert!(report.statistics.max_penetration < 5e-5);
    assert!(report.energy_end < report.energy_start);
}
