//! Plates on a table, each with a load a tenth or more below or above the friction limit.

use super::run;

#[test]
fn plates_below_the_friction_limit_stay_and_others_slide() {
    let icf: &[&str] = &["simulation={integrator: icf, step: 1e-3, duration: 0.5}"];
    let volume: &[&str] = &["simulation={integrator: volume, step: 1e-3, duration: 0.5}"];
    let points: &[&str] = &["systems.plant.contact.model=point"];
    for settings in [&[][..], &["simulation.accuracy=1e-2"], icf, volume, points] {
        let (_, samples) = run("push_and_turn", settings);
        let way = |name: &str, start: f64| samples.last(&format!("plant.{name}.plate.x")) - start;
        let turned = |name: &str| samples.last(&format!("plant.{name}.plate.qz")).abs();
        let stays = [way("pushed", -0.1), way("both", -0.1), turned("turned")];
        assert!(stays.iter().all(|x| x.abs() < 5e-3), "{settings:?}: {stays:?}");
        // A tenth of the weight times the friction is left to the push: 0.49 m/s² for half a second.
        let slides = way("pushed_harder", 0.1);
        assert!((slides - 0.5 * 0.49 * 0.25).abs() < 4e-3, "{settings:?}: {slides}");
        let slides = [way("both_harder", 0.1), turned("turned_harder")];
        assert!(slides[0] > 0.05 && slides[1] > 0.9, "{settings:?}: {slides:?}");
    }
}
