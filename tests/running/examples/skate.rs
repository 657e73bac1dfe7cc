//! A skate that turns at ω on a slope with the pull a and goes along its blade only, at the speed `(a/ω) sin ωt`:
//!
//! ```text
//! x = a/(2 ω²) sin² ωt,   y = a/(2 ω²) (ωt - sin 2ωt / 2)
//! ```

use super::{run_at, steps};

const PULL: f64 = 1.5;
const TURNING: f64 = 3.0;

/// Largest distance from that way in a run \[m\].
fn off(accuracy: &str, settings: &[&str]) -> f64 {
    let (_, samples) = run_at("skate", accuracy, settings);
    let place = samples.series("plant.skate.x.q").zip(samples.series("plant.skate.y.q"));
    let distance = |((time, x), (_, y)): ((f64, f64), (f64, f64))| {
        let (scale, angle) = (PULL / (2.0 * TURNING * TURNING), TURNING * time);
        (x - scale * angle.sin().powi(2)).hypot(y - scale * (angle - 0.5 * (2.0 * angle).sin()))
    };
    place.map(distance).fold(0.0, f64::max)
}

#[test]
fn the_skate_goes_across_the_slope_in_bows() {
    for (accuracy, most) in [("1e-2", 0.05), ("1e-3", 0.01), ("1e-4", 2e-3)] {
        let off = off(accuracy, &[]);
        assert!(off < most, "{accuracy}: {off} m off its way");
    }
    // A blade that holds less than the pull and the turning need slips.
    assert!(off("1e-3", &["systems.plant.models.skate.materials.skate.friction_across=0.1"]) > 0.5);
}

/// Errors of second order in the step: a tenth of the accuracy takes the root of ten times as many steps.
#[test]
fn a_blade_that_turns_takes_steps_of_second_order() {
    let [coarse, fine] = ["1e-3", "1e-4"].map(|accuracy| run_at("skate", accuracy, &[]).0.statistics.steps);
    assert!(fine < 4 * coarse, "{coarse} steps, then {fine}");
}

/// The rows of the table in the README.
pub fn table() -> Vec<String> {
    let row = |accuracy| {
        let (report, _) = run_at("skate", accuracy, &[]);
        format!("| {accuracy} | {} | {:.2} mm |", steps(&report), 1e3 * off(accuracy, &[]))
    };
    ["1e-2", "1e-3", "1e-4"].map(row).into()
}
