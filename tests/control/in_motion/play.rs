//! Backlash in motion.

use super::{WAVE_WIRES, WAVES, check, open};
use std::f64::consts::PI;

/// u = sin(2 t - 1) through a gap of 0.6: y rises with u - 0.3, rests at 0.7 from the crest on until u has fallen by
/// 0.6, falls with u + 0.3, and rests at -0.7.
#[test]
fn a_wave_through_a_gap() {
    for (wave, wires) in WAVES.into_iter().zip(WAVE_WIRES) {
        let mut simulation = open(
            &format!(
                "{wave}
                gear: {{type: backlash, gap: 0.6, initial: -1.0}}"
            ),
            &format!(
                "{wires}
                wave.output[0] -> gear.input
                wave.output[1] -> gear.rate"
            ),
        );
        let crest = (1.0 + PI / 2.0) / 2.0;
        let fallen = 0.5 * (1.0_f64 - 0.6).acos();
        let u = |t: f64| (2.0 * t - 1.0).sin();
        for k in 0..60 {
            let t = 0.05 + 0.13 * f64::from(k);
            let phase = (t - crest).rem_euclid(PI);
            let expected = match phase {
                _ if t < crest => (u(t) - 0.3).max(-1.0),
                p if p < fallen => 0.7,
                p if p < PI / 2.0 => u(t) + 0.3,
                p if p < PI / 2.0 + fallen => -0.7,
                _ => u(t) - 0.3,
            };
            check(&mut simulation, t, &[("gear.output", expected)], 1e-8);
        }
    }
}

/// The integral of the rate is the output: sides are taken and left at their exact instants.
#[test]
fn the_rate_is_that_of_the_output() {
    let mut simulation = open(
        "wave: {type: expression, expression: [\"sin(2*t) + 0.5*sin(5*t)\", \"2*cos(2*t) + 2.5*cos(5*t)\"]}
        gear: {type: backlash, gap: 0.3}
        y: {type: integrator}",
        "wave.output[0] -> gear.input
        wave.output[1] -> gear.rate
        gear.rate -> y.input",
    );
    for k in 1..80 {
        simulation.advance_to(0.11 * f64::from(k)).unwrap();
        let [y, integral] = ["gear.output", "y.output"].map(|name| simulation.channel(name).unwrap());
        assert!((y - integral).abs() < 1e-8, "{y} and {integral}");
    }
}
