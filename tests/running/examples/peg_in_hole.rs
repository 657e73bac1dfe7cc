//! A peg slides into its hole under all three models of contact.

use super::run;

#[test]
fn the_peg_reaches_the_floor_under_every_model() {
    for (model, accuracy) in [("point", "1e-4"), ("volume", "1e-4"), ("hydroelastic", "1e-3")] {
        let settings = [
            &format!("systems.plant.contact.model={model}"),
            &format!("simulation.accuracy={accuracy}"),
            &"simulation.duration=0.5".to_owned(),
        ];
        let settings: Vec<&str> = settings.iter().map(|s| s.as_str()).collect();
        let (report, samples) = run("peg_in_hole", &settings);
        let [x, y, z] = ["x", "y", "z"].map(|c| samples.last(&format!("plant.peg.peg.{c}")));
        // It may stand on an edge between the walls at a loose accuracy.
        assert!((z - 0.03).abs() < 1e-4, "{model}: {z}");
        assert!(x.abs() < 1.2e-4 && y.abs() < 1.2e-4, "{model}: {x} {y}");
        // All that is left is its weight at that height.
        let energy = report.energy_end.expect("a plant");
        assert!((energy / (0.2 * 9.81 * 0.03) - 1.0).abs() < 0.01, "{model}: {energy} J");
    }
}
