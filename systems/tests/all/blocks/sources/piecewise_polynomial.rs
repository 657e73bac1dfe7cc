//! A polynomial of time on each of several segments.

use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sources::PiecewisePolynomial;

/// 1 + 2u - u³ on [1, 2], then 5 on [2, 4]; beside it u², then -u.
fn two_segments() -> PiecewisePolynomial {
    let first = vec![vec![1.0, 2.0, 0.0, -1.0], vec![0.0, 0.0, 1.0]];
    let second = vec![vec![5.0], vec![0.0, -1.0]];
    PiecewisePolynomial::new(vec![1.0, 2.0, 4.0], vec![first, second]).unwrap()
}

#[test]
fn conforms() {
    conformance::check(&two_segments());
}

#[test]
fn is_its_polynomials_and_rests_outside() {
    let path = two_segments();
    for (time, [x, v, a]) in [
        (0.5, [[1.0, 0.0], [0.0; 2], [0.0; 2]]),
        (1.5, [[1.875, 0.25], [1.25, 1.0], [-3.0, 2.0]]),
        (3.0, [[5.0, -1.0], [0.0, -1.0], [0.0; 2]]),
        (7.0, [[5.0, -2.0], [0.0; 2], [0.0; 2]]),
    ] {
        let bench = Bench::new(&path).time(time);
        assert_eq!(bench.eval(path.position), x, "at {time}");
        assert_eq!(bench.eval(path.velocity), v, "at {time}");
        assert_eq!(bench.eval(path.acceleration), a, "at {time}");
        assert_eq!(bench.eval(path.state), [x, v].concat());
    }
    // At a break: the old segment until the event.
    let at = Bench::new(&path).time(2.0).discrete([1.0]);
    assert_eq!(at.eval(path.position), [2.0, 1.0]);
    assert_eq!(at.clone().discrete(at.update(Tick { index: 1 })).eval(path.position), [5.0, 0.0]);
}

#[test]
fn invalid_paths_are_refused() {
    let one = || vec![vec![1.0]];
    for (breaks, coefficients, expected) in [
        (vec![], vec![], "coefficients is empty"),
        (vec![0.0], vec![one()], "breaks has 1 elements, expected 2"),
        (vec![0.0, 0.0], vec![one()], "breaks[1] = 0 does not come after"),
        (vec![0.0, 1.0, 2.0], vec![one(), vec![]], "coefficients[1] has 0 elements, expected 1"),
        (vec![0.0, 1.0], vec![vec![vec![]]], "coefficients[0][0] is empty"),
        (vec![0.0, 1.0], vec![vec![vec![f64::NAN]]], "coefficients[0][0][0] is NaN"),
    ] {
        let fault = PiecewisePolynomial::new(breaks, coefficients).err().unwrap().to_string();
        assert!(fault.contains(expected), "{fault}");
    }
}
