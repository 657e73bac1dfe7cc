//! A peg slides into its hole under all three models of contact.

use super::run;

#[test]
fn the_peg_reaches_the_floor_under_every_model() {
    for model in ["point", "volume", "hydroelastic"] {
        let model = format!("systems.plant.contact.model={model}");
        let (report, samples) = run("peg_in_hole", &[&model]);
        let [x, y, z] = ["x", "y", "z"].map(|c| samples.last(&format!("plant.peg.peg.{c}")));
        assert!((z - 0.03).abs() < 1e-4, "{model}: {z}");
        assert!(x.abs() < 1.2e-4 && y.abs() < 1.2e-4, "{model}: {x} {y}");
        // All that is left is its weight at that height.
        let energy = report.energy_end.expect("a plant");
        assert!((energy / (0.2 * 9.81 * 0.03) - 1.0).abs() < 0.01, "{model}: {energy} J");
    }
}
