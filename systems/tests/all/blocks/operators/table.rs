//! A function given by its values at some arguments.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::{Beyond, Interpolation, Table};

const METHODS: [Interpolation; 3] = [Interpolation::Linear, Interpolation::Monotone, Interpolation::Natural];

fn table(arguments: &[f64], values: &[f64], interpolation: Interpolation, beyond: Beyond) -> Table {
    Table::new(1, arguments.to_vec(), values.to_vec(), interpolation, beyond).unwrap()
}

fn at(table: &Table, u: f64) -> f64 {
    Bench::new(table).input(table.input, [u]).eval(table.output)[0]
}

#[test]
fn conforms() {
    for interpolation in METHODS {
        for beyond in [Beyond::Clamp, Beyond::Extend] {
            let points = (vec![-0.6, -0.1, 0.15, 0.5], vec![1.0, -2.0, -2.5, 3.0]);
            conformance::check(&Table::new(3, points.0, points.1, interpolation, beyond).unwrap());
        }
    }
}

#[test]
fn goes_through_its_points_and_reproduces_a_line() {
    let (arguments, values) = ([-1.0, 0.0, 2.0, 5.0], [3.0, -1.0, 4.0, 4.0]);
    for interpolation in METHODS {
        let curve = table(&arguments, &values, interpolation, Beyond::Clamp);
        for (u, expected) in arguments.iter().zip(values) {
            assert!((at(&curve, *u) - expected).abs() < 1e-14, "{interpolation:?} at {u}");
        }
        let line = table(&arguments, &arguments.map(|u| 1.0 - 2.0 * u), interpolation, Beyond::Extend);
        for u in [-7.0, -0.3, 1.1, 4.9, 9.0] {
            assert!((at(&line, u) - (1.0 - 2.0 * u)).abs() < 1e-13, "{interpolation:?} at {u}");
        }
    }
}

#[test]
fn beyond_the_ends_the_table_is_clamped_or_extrapolated() {
    for interpolation in METHODS {
        let (arguments, values) = ([0.0, 1.0, 2.0], [0.0, 1.0, 5.0]);
        let held = table(&arguments, &values, interpolation, Beyond::Clamp);
        assert_eq!((at(&held, -3.0), at(&held, 9.0)), (0.0, 5.0));
        let extended = table(&arguments, &values, interpolation, Beyond::Extend);
        let slope = Bench::new(&extended).input(extended.input, [2.0]).jacobian(extended.input, extended.output);
        assert!((at(&extended, 4.0) - (5.0 + 2.0 * slope[(0, 0)])).abs() < 1e-13, "{interpolation:?}");
    }
}

#[test]
fn a_natural_spline_is_known_on_three_points() {
    // Points (0, 0), (1, 1), (2, 0): second derivatives 0, -3, 0; so on [0, 1] y = 1.5 u - 0.5 u³.
    let spline = table(&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.0], Interpolation::Natural, Beyond::Clamp);
    for u in [0.2, 0.5, 0.9_f64] {
        let expected = 1.5 * u - 0.5 * u.powi(3);
        assert!((at(&spline, u) - expected).abs() < 1e-15 && (at(&spline, 2.0 - u) - expected).abs() < 1e-15);
    }
}

#[test]
fn a_monotone_cubic_does_not_overshoot() {
    let arguments = [0.0, 1.0, 2.0, 3.0, 4.0];
    let values = [0.0, 0.01, 0.99, 1.0, 1.0];
    let curve = table(&arguments, &values, Interpolation::Monotone, Beyond::Clamp);
    let samples: Vec<f64> = (0..=400).map(|i| at(&curve, f64::from(i) / 100.0)).collect();
    assert!(samples.windows(2).all(|pair| pair[1] >= pair[0] - 1e-15), "not monotone");
    // The natural spline does overshoot here: the property is not trivial.
    let spline = table(&arguments, &values, Interpolation::Natural, Beyond::Clamp);
    assert!((0..=400).any(|i| at(&spline, f64::from(i) / 100.0) > 1.0 + 1e-3));
}

#[test]
fn invalid_tables_are_refused() {
    for (arguments, values, expected) in [
        (vec![0.0], vec![1.0], "arguments has 1 elements, expected 2"),
        (vec![0.0, 1.0], vec![1.0], "values has 1 elements, expected 2"),
        (vec![1.0, 0.0], vec![1.0, 2.0], "arguments[1] = 0 does not come after arguments[0] = 1"),
        (vec![0.0, 1.0], vec![f64::NAN, 2.0], "values[0] is NaN"),
    ] {
        let fault = Table::new(1, arguments, values, Interpolation::Linear, Beyond::Clamp).err().unwrap();
        assert!(fault.to_string().contains(expected), "{fault}");
    }
}
