//! A pole that is swung up and balanced.

use super::{channel, open};

#[test]
fn the_pole_is_swung_up_and_balanced_from_where_it_starts() {
    let (scenario, mut simulation) = open("examples/cart_pole/cart_pole.yaml");
    let mut states = vec![channel(&mut simulation, "mode.state")];
    while simulation.time() < scenario.duration && simulation.stopped_by().is_none() {
        simulation.step(scenario.duration).expect("a step");
        let state = channel(&mut simulation, "mode.state");
        if states.last() != Some(&state) {
            states.push(state);
        }
        assert!(channel(&mut simulation, "plant.cp.slide.q").abs() < 1.9, "it strikes the end of its rail");
    }
    assert_eq!(simulation.stopped_by(), Some("up"));
    assert_eq!(states, [0.0, 1.0, 2.0]);
    assert!(channel(&mut simulation, "plant.cp.pivot.q").cos() > 0.9999);
    // A pole of a point mass m upright at rest has the energy m g l.
    let energy = simulation.energy().expect("a plant");
    assert!((energy - 0.2 * 9.81 * 0.5).abs() < 1e-3, "{energy}");
}
