//! A path through given values at given times.

use kinegraph_core::LeafSystem;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::Trajectory;

fn rest_to_rest() -> Trajectory {
    Trajectory::new(vec![1.0, 3.0, 4.0], vec![vec![0.0, 5.0], vec![2.0, 5.0], vec![-1.0, 0.0]]).unwrap()
}

#[test]
fn conforms() {
    conformance::check(&rest_to_rest());
    let values = vec![vec![0.3], vec![-1.0], vec![2.0]];
    let velocities = vec![vec![1.0], vec![-2.0], vec![0.5]];
    // The first knot is before and the last after every sample: the velocity jumps there.
    conformance::check(&Trajectory::with_velocities(vec![-1.0, 1.3, 5.0], values, velocities).unwrap());
}

#[test]
fn rests_at_knots_and_is_steepest_half_way() {
    let path = rest_to_rest();
    let state = |time: f64| Bench::new(&path).time(time).eval(path.state);
    for (time, expected) in [
        (0.0, [0.0, 5.0, 0.0, 0.0]),
        (1.0, [0.0, 5.0, 0.0, 0.0]),
        // Half way: s = 1/2, ds/dt = 3/2 / h.
        (2.0, [1.0, 5.0, 1.5, 0.0]),
        (3.0, [2.0, 5.0, 0.0, 0.0]),
        (3.5, [0.5, 2.5, -4.5, -7.5]),
        (4.0, [-1.0, 0.0, 0.0, 0.0]),
        (9.0, [-1.0, 0.0, 0.0, 0.0]),
    ] {
        for (x, expected) in state(time).iter().zip(expected) {
            assert!((x - expected).abs() < 1e-14, "at {time}: {x} instead of {expected}");
        }
    }
    let parts = [Bench::new(&path).time(1.7).eval(path.position), Bench::new(&path).time(1.7).eval(path.velocity)];
    assert_eq!(state(1.7), parts.concat());
}

#[test]
fn with_knot_velocities_a_cubic_is_reproduced() {
    let x = |t: f64| 2.0 - t + 0.5 * t * t - 0.25 * t * t * t;
    let v = |t: f64| -1.0 + t - 0.75 * t * t;
    let times = vec![-1.0, 0.5, 3.0];
    let column = |f: &dyn Fn(f64) -> f64| times.iter().map(|&t| vec![f(t)]).collect();
    let path = Trajectory::with_velocities(times.clone(), column(&x), column(&v)).unwrap();
    for t in [-1.0, -0.4, 0.5, 0.9, 2.2, 2.99] {
        let state = Bench::new(&path).time(t).discrete([1.0]).eval(path.state);
        assert!((state[0] - x(t)).abs() < 1e-13 && (state[1] - v(t)).abs() < 1e-13, "at {t}: {state:?}");
    }
}

#[test]
fn velocity_at_a_jump_depends_on_the_events_passed() {
    let path = |from: f64, to: f64| {
        Trajectory::with_velocities(vec![1.0, 2.0], vec![vec![0.0], vec![3.0]], vec![vec![from], vec![to]]).unwrap()
    };
    let velocity = |path: &Trajectory, time: f64, passed: f64| {
        Bench::new(path).time(time).discrete([passed]).eval(path.velocity)[0]
    };
    let both = path(4.0, -5.0);
    for (time, passed, expected) in
        [(0.5, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 4.0), (2.0, 1.0, -5.0), (2.0, 2.0, 0.0), (3.0, 2.0, 0.0)]
    {
        assert_eq!(velocity(&both, time, passed), expected, "at {time} after {passed} events");
    }
    assert_eq!(velocity(&path(4.0, 0.0), 1.0, 0.0), 0.0);
    assert_eq!(velocity(&path(4.0, 0.0), 1.0, 1.0), 4.0);
    assert_eq!(velocity(&path(0.0, -5.0), 2.0, 1.0), -5.0);
    assert_eq!(velocity(&path(0.0, -5.0), 2.0, 2.0), 0.0);
}

/// With rest at the knots the second derivative jumps at every knot, for a spline at its ends, for a straight line only
/// there; and a finely sampled path has no events inside.
#[test]
fn events_are_where_a_derivative_up_to_the_second_jumps() {
    let events = |path: &Trajectory| path.ports().ticks().len();
    assert_eq!(events(&rest_to_rest()), 3);
    let sampled = |x: fn(f64) -> f64, v: fn(f64) -> f64, step: f64| {
        let times: Vec<f64> = (0..=100).map(|i| f64::from(i) * step).collect();
        let column = |f: fn(f64) -> f64| times.iter().map(|&t| vec![f(t)]).collect();
        Trajectory::with_velocities(times.clone(), column(x), column(v)).unwrap()
    };
    assert_eq!(events(&sampled(|t| t * t * t - t * t, |t| 3.0 * t * t - 2.0 * t, 0.1)), 2);
    assert_eq!(events(&sampled(f64::sin, f64::cos, 0.001)), 2);
    assert_eq!(events(&sampled(|t| (t - 0.05).abs(), |t| (t - 0.05).signum(), 0.001)), 4);
    assert_eq!(events(&Trajectory::new(vec![1.0], vec![vec![2.0]]).unwrap()), 0);
    assert_eq!(events(&Trajectory::new(vec![1.0, 2.0], vec![vec![2.0]; 2]).unwrap()), 0);
}

#[test]
fn invalid_paths_are_refused() {
    for (times, values, expected) in [
        (vec![], vec![], "values is empty"),
        (vec![0.0, 0.0], vec![vec![1.0], vec![2.0]], "times[1] = 0 does not come after times[0] = 0"),
        (vec![0.0, 1.0], vec![vec![1.0]], "values has 1 elements, expected 2"),
        (vec![0.0, 1.0], vec![vec![1.0], vec![]], "values[1] has 0 elements, expected 1"),
        (vec![0.0, f64::NAN], vec![vec![1.0], vec![1.0]], "times[1] is NaN"),
        (vec![0.0], vec![vec![1.0, f64::INFINITY]], "values[0][1] is inf"),
    ] {
        let fault = Trajectory::new(times, values).err().unwrap().to_string();
        assert!(fault.contains(expected), "{fault}");
    }
}
