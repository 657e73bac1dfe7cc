//! A ball bounces on a spring without loss. With the drop height h, `v = √(2 g h)` and `ω = √(k/m)` it touches the
//! ground for `(π + 2 atan(g/(ω v)))/ω`: on the spring it swings about where its weight rests. A bounce is that and
//! `2 √(2h/g)` in the air.

use super::{run, run_at};
use std::f64::consts::PI;

const G: f64 = 9.81;

#[test]
fn the_period_of_a_bounce_is_that_of_the_fall_and_the_spring() {
    let (drop, omega) = (0.9_f64, 100.0);
    let period = 2.0 * (2.0 * drop / G).sqrt() + (PI + 2.0 * (G / (omega * (2.0 * G * drop).sqrt())).atan()) / omega;
    let off = |accuracy: &str| {
        let (report, samples) = run_at("elastic_ball", accuracy, &["record.channels=[plant.ball.ball.vz]"]);
        let (time, bounces) = (samples.rows.last().expect("a sample").0, 11.0);
        // Near the top of the eleventh bounce the speed shows how long ago that was.
        let (time, speed) = samples
            .series("plant.ball.ball.vz")
            .filter(|(t, _)| (t - bounces * period).abs() < 0.1 && *t <= time)
            .min_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
            .expect("the top of a bounce");
        let (start, end) = (report.energy_start.expect("a plant"), report.energy_end.expect("a plant"));
        assert!((end - start).abs() < 5e-3 * start, "{accuracy}: {start} J became {end} J");
        ((time + speed / G) / bounces - period).abs() / period
    };
    // Eleven bounces amplify the last bits of the first: one run alone errs by 1e-6 to 1.2e-3 of the period.
    let mean = ["0.7e-4", "0.8e-4", "0.9e-4", "1e-4", "1.1e-4"].map(off).iter().sum::<f64>() / 5.0;
    assert!(mean < 1e-3, "{mean} of the period");
}

/// Root mean square of the energy error after one bounce \[J\]: touch-down and lift-off occur at all phases of a step
/// of the length `h`, under an accuracy too loose to shorten it.
fn energy_error(integrator: &str, h: f64) -> f64 {
    let squares = (1..=24).map(|i| {
        let fall = 0.42 + 0.004 * ((f64::from(i) * 0.618_034) % 1.0);
        let (height, stiffness) = (0.1 + 0.5 * G * fall * fall, 1e4 * (0.8 + 0.4 * ((f64::from(i) * 0.414_214) % 1.0)));
        let (report, _) = run(
            "elastic_ball",
            &[
                &format!("simulation.integrator={integrator}"),
                "simulation.accuracy=0.9",
                "simulation.extrapolate=off",
                "simulation.duration=0.6",
                "record.every=0.6",
                &format!("simulation.max_step={h}"),
                &format!("simulation.initial_step={h}"),
                &format!("simulation.step={h}"),
                &format!("systems.plant.contact.stiffness={stiffness}"),
                &format!("systems.plant.models.ball.pose={{xyz: [0, 0, {height}]}}"),
            ],
        );
        (report.energy_end.expect("a plant") - report.energy_start.expect("a plant")).powi(2)
    });
    (squares.sum::<f64>() / 24.0).sqrt()
}

#[test]
fn the_energy_error_is_of_second_order_with_the_trapezoid() {
    let errors = [2e-3, 1e-3, 5e-4].map(|h| energy_error("cenic-trapezoid", h));
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.3, "of order {order}: {errors:?}");
    }
    // Plain convex steps lose energy, and lose it in proportion to their length.
    let [coarse, fine] = [1e-3, 5e-4].map(|h| energy_error("icf", h));
    let order = (coarse / fine).log2();
    assert!((order - 1.0).abs() < 0.2 && errors[1] < 0.05 * coarse, "of order {order}: {coarse} J, {errors:?}");
}

/// The rows of the table in the README.
pub fn table() -> Vec<String> {
    let row = |h: f64| {
        let [second, first] = ["cenic-trapezoid", "icf"].map(|integrator| energy_error(integrator, h));
        format!("| {} ms | {second:.1e} J | {first:.1e} J |", 1e3 * h)
    };
    [2e-3, 1e-3, 5e-4].map(row).into()
}
