//! A cord over half a turn holds exp(π μ) times the lighter weight: 2.3 times from μ = 0.265 on.

use super::run;

/// How fast the lighter weight rises at the end \[m/s\].
fn rises(friction: f64) -> f64 {
    let friction = format!("systems.plant.contact.static_friction={friction}");
    let (_, samples) = run("capstan", &[&friction, "simulation.duration=0.8"]);
    let z = |t: f64| samples.series("plant.light.weight.z").find(|(s, _)| *s >= t).expect("a sample").1;
    (z(0.79) - z(0.59)) / 0.2
}

#[test]
fn friction_holds_up_to_eulers_ratio() {
    for (friction, slides) in [(0.272, false), (0.258, true)] {
        let speed = rises(friction);
        assert_eq!(speed > 5e-3, slides, "{friction}: {speed} m/s");
    }
}
