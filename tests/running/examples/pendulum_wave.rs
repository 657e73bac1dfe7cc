//! Pendulums of a wave: in two groups half way, and together again at the end.

use super::{channel, open};

#[test]
fn pendulums_are_together_again_at_the_end() {
    let (scenario, mut simulation) = open("examples/pendulum_wave/pendulum_wave.yaml");
    let start = 5_f64.to_radians();
    // The amplitude makes periods longer by its square over 16: up to 0.12 rad of phase after 39 swings.
    let bound = 0.015 * start;
    let angles =
        |simulation: &mut _| -> Vec<f64> { (0..15).map(|i| channel(simulation, &format!("row[{i}].angle"))).collect() };
    assert!(angles(&mut simulation).iter().all(|angle| *angle == start));
    simulation.advance_to(15.0).expect("half way");
    for (i, angle) in angles(&mut simulation).iter().enumerate() {
        let side = if (25 + i) % 2 == 0 { start } else { -start };
        assert!((angle - side).abs() < bound, "pendulum {i} is at {angle}, not at {side}");
    }
    simulation.advance_to(scenario.duration).expect("the end");
    for (i, angle) in angles(&mut simulation).iter().enumerate() {
        assert!((angle - start).abs() < bound, "pendulum {i} is at {angle}, not at {start}");
    }
}
