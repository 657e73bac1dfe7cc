//! A knot is pulled tight.

use super::run_at;
use std::f64::consts::PI;

/// Values over time: the pull at both ends, and the radius in the middle of the loop.
fn pulled(friction: f64) -> Vec<(f64, f64, f64)> {
    let friction = format!("systems.plant.contact.static_friction={friction}");
    let (report, samples) = run_at("knot", "1e-2", &[&friction]);
    assert!(report.statistics.max_penetration < 2e-4, "strands overlap by {}", report.statistics.max_penetration);
    let stiffness = 8.0e6 * 0.25 * PI * 0.002_f64.powi(4);
    let at = |channel: &str, time: f64| {
        let channel = format!("plant.constraints.cord.{channel}");
        samples.series(&channel).find(|(t, _)| *t > time - 1e-9).expect("a sample").1
    };
    let found = |t| {
        let moment = at("e40.ty", t).hypot(at("e40.tz", t));
        (-at("e0.fx", t), -at("e79.fx", t), stiffness / moment)
    };
    let found: Vec<_> = [0.5, 2.0].map(found).into();
    for (pull, _, radius) in &found {
        // Of a loose knot without friction; what is tight or rubs asks for more.
        assert!(*pull > 0.5 * stiffness / (radius * radius), "{pull} N at {radius} m");
    }
    found
}

#[test]
fn the_loop_closes_and_friction_keeps_it_wider() {
    let (smooth, rough) = (pulled(0.0), pulled(0.1));
    for found in [&smooth, &rough] {
        let ((_, _, wide), (start, end, tight)) = (found[0], found[1]);
        assert!((start / 0.8 - 1.0).abs() < 0.05 && (end / start - 1.0).abs() < 0.02, "{found:?}");
        assert!(tight < 0.6 * wide, "{found:?}");
    }
    assert!(rough[1].2 > 1.05 * smooth[1].2, "{rough:?} {smooth:?}");
}
