//! Paths through waypoints in motion.

use super::open;

/// The integral of the velocity is the position, that of the acceleration the velocity: no step goes over the end of a
/// phase. 10 m within 2 m/s, 4 m/s², 16 m/s³ take 5.75 s.
#[test]
fn rates_integrate_to_the_path() {
    let mut simulation = open(
        "goal: {type: waypoints, points: [[0, 1], [10, 1], [10, -1]], velocity: 2, acceleration: 4, jerk: 16, dwell: 0.5}
        x: {type: integrator, initial: [0, 1]}
        v: {type: integrator, initial: [0, 0]}",
        "goal.velocity -> x.input
        goal.acceleration -> v.input",
    );
    let mut compare = |from: i32, to: i32| {
        for k in from..to {
            simulation.advance_to(0.2 * f64::from(k)).unwrap();
            for i in 0..2 {
                let mut value = |name: &str| simulation.channel(&format!("{name}[{i}]")).unwrap();
                assert!((value("goal.position") - value("x.output")).abs() < 1e-9);
                assert!((value("goal.velocity") - value("v.output")).abs() < 1e-9);
            }
        }
        [0, 1].map(|i| simulation.channel(&format!("goal.position[{i}]")).unwrap())
    };
    // 5.75 s, and 0.5 s of rest; then 2 m in 1.75 s.
    assert_eq!(compare(1, 31).map(|x| (1e12 * x).round()), [10e12, 1e12]);
    assert_eq!(compare(31, 42).map(|x| (1e12 * x).round()), [10e12, -1e12]);
}
