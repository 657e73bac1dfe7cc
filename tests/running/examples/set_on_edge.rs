//! Two cubes on an edge: one millimetre decides.

use super::run;

#[test]
fn one_cube_stays_and_the_other_falls() {
    let volume: &[&str] = &["simulation={integrator: volume, step: 1e-3, duration: 2}"];
    let points: &[&str] = &["systems.plant.contact.model=point"];
    for settings in [&[][..], &["simulation.accuracy=1e-2"], points, volume] {
        let (_, samples) = run("set_on_edge", settings);
        let [inside, outside] = ["inside", "outside"].map(|name| samples.last(&format!("plant.{name}.cube.z")));
        assert!((inside - 0.13).abs() < 1e-4, "{settings:?}: {inside}");
        assert!(outside < 0.0, "{settings:?}: {outside}");
    }
}
