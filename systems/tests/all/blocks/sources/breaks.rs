//! Instants at which a source jumps or has a kink, as events.

use kinegraph_core::port::Ports;
use kinegraph_systems::sources::breaks::Breaks;

#[test]
fn the_state_knows_the_side_of_an_instant_and_time_alone_everything_else() {
    let breaks = Breaks::declare(vec![-1.0, 0.3, 2.0], &mut Ports::new());
    let third = 0.1 + 0.2; // one bit above 0.3
    for (time, state, expected) in [
        (-2.0, 0.0, 0),
        (-1.0, 0.0, 0),
        (-1.0, 1.0, 1),
        (0.0, 0.0, 1),
        (third, 0.0, 1),
        (third, 2.0, 2),
        (0.5, 0.0, 2),
        (2.0, 2.0, 2),
        (2.0, 3.0, 3),
        (9.0, 0.0, 3),
    ] {
        assert_eq!(breaks.passed(time, &[state]), expected, "at {time} in state {state}");
    }
}
