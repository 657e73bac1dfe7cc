//! Paths through waypoints.

use kinegraph_core::LeafSystem;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::{WaypointSettings, Waypoints};

fn path(points: &[&[f64]], settings: WaypointSettings) -> Waypoints {
    Waypoints::new(&points.iter().map(|point| point.to_vec()).collect::<Vec<_>>(), settings).unwrap()
}

fn with_jerk(velocity: f64, acceleration: f64, jerk: f64) -> WaypointSettings {
    WaypointSettings { jerk: Some(jerk.into()), ..WaypointSettings::new(velocity, acceleration) }
}

/// Position, velocity and acceleration at a time, with all events before it.
fn at(path: &Waypoints, time: f64) -> [Vec<f64>; 3] {
    let passed = LeafSystem::ports(path).ticks().iter().filter(|tick| tick.offset < time).count();
    let bench = Bench::new(path).time(time).discrete([passed as f64]);
    [bench.eval(path.position), bench.eval(path.velocity), bench.eval(path.acceleration)]
}

#[test]
fn conforms() {
    let settings = WaypointSettings { dwell: 0.1, ..with_jerk(1.0, 3.0, 20.0) };
    conformance::check(&path(&[&[0.0, 1.0], &[0.7, 1.2], &[-0.4, 3.0]], settings));
    conformance::check(&path(&[&[2.0]], with_jerk(1.0, 3.0, 20.0)));
}

/// The lengths of the motion over D in closed form, for each set of phases that there is.
#[test]
fn takes_the_time_of_its_closed_form() {
    for (distance, velocity, acceleration, jerk, expected) in [
        // D/v + v/a + a/j: all seven phases.
        (10.0, 2.0, 4.0, 16.0, 10.0 / 2.0 + 2.0 / 4.0 + 4.0 / 16.0),
        // D/v + 2 √(v/j): the acceleration is not reached.
        (10.0, 1.0, 100.0, 4.0, 10.0 + 2.0 * 0.5),
        // 4 cbrt(D/(2 j)): neither acceleration nor velocity is reached.
        (1.0, 100.0, 100.0, 4.0, 4.0 * 0.5),
        // a/j + √((a/j)² + 4 D/a): the velocity is not reached.
        (2.0, 100.0, 1.0, 1.0, 1.0 + 3.0),
        // 2 √(D/a) and D/v + v/a: triangle and trapezoid.
        (4.0, 100.0, 1.0, f64::INFINITY, 4.0),
        (10.0, 2.0, 4.0, f64::INFINITY, 5.5),
    ] {
        let mut settings = WaypointSettings::new(velocity, acceleration);
        settings.jerk = jerk.is_finite().then(|| jerk.into());
        for side in [-1.0, 1.0] {
            let path = path(&[&[5.0], &[5.0 + side * distance]], settings.clone());
            assert!((path.end() - expected).abs() < 1e-12, "{}, not {expected}", path.end());
            let [x, v, a] = at(&path, path.end() + 1.0);
            assert!((x[0] - 5.0 - side * distance).abs() < 1e-12 && v[0] == 0.0 && a[0] == 0.0);
        }
    }
}

/// Nothing exceeds its limit, one limit is met at almost any time, and the rates are the slopes of what they are of.
#[test]
fn keeps_its_limits_and_is_always_at_one() {
    for (velocity, acceleration, jerk) in [(2.0, 4.0, 16.0), (1.0, 100.0, 4.0), (100.0, 1.0, 1.0), (0.1, 0.01, 0.3)] {
        let path = path(&[&[0.0], &[3.0]], with_jerk(velocity, acceleration, jerk));
        let step = 1e-5 * path.end();
        for k in 1..200 {
            let time = path.end() * f64::from(k) / 200.0 + 0.37 * step;
            let [[x, v, a], [x1, v1, a1]] = [time, time + step].map(|time| at(&path, time).map(|values| values[0]));
            assert!(((x1 - x) / step - 0.5 * (v + v1)).abs() < 1e-6 * velocity.max(1.0));
            assert!(((v1 - v) / step - 0.5 * (a + a1)).abs() < 1e-6 * acceleration.max(1.0));
            let used = [v / velocity, a.abs() / acceleration, (a1 - a).abs() / step / jerk];
            assert!(used.iter().all(|&used| used <= 1.0 + 1e-6), "{used:?} at {time}");
            assert!(used.iter().any(|&used| used > 1.0 - 1e-6), "{used:?} at {time}");
        }
    }
}

/// Channels of a line go together: the slowest one decides, and the others stay on the line.
#[test]
fn channels_stay_on_the_line() {
    let settings = WaypointSettings { velocity: [1.0, 10.0].into(), ..with_jerk(1.0, 2.0, 8.0) };
    let path = path(&[&[0.0, 1.0], &[3.0, -2.0]], settings);
    for k in 1..20 {
        let [x, v, _] = at(&path, path.end() * f64::from(k) / 20.0);
        assert!((x[0] + x[1] - 1.0).abs() < 1e-12 && (v[0] + v[1]).abs() < 1e-12 && v[0] <= 1.0 + 1e-12);
    }
}

#[test]
fn rests_at_waypoints_that_are_equal() {
    let settings = WaypointSettings { dwell: 0.5, ..with_jerk(1.0, 2.0, 8.0) };
    let rest = path(&[&[2.0], &[2.0], &[2.0]], settings);
    assert_eq!(rest.end(), 0.5);
    assert_eq!(at(&rest, 0.25), [[2.0], [0.0], [0.0]]);
}

#[test]
fn refuses_limits_of_nothing() {
    let fault = |settings| Waypoints::new(&[vec![0.0], vec![1.0]], settings).err().unwrap().to_string();
    assert_eq!(fault(WaypointSettings::new(0.0, 1.0)), "velocity[0] is 0, expected a number above 0");
    assert_eq!(fault(with_jerk(1.0, 1.0, -1.0)), "jerk[0] is -1, expected a number above 0");
    let fault = Waypoints::new(&[], WaypointSettings::new(1.0, 1.0)).err().unwrap().to_string();
    assert_eq!(fault, "points is empty");
}
