//! Step responses and root loci beside closed forms.

use super::random::{Numbers, model};
use kinegraph_engine::linearize::state_space::{DelayedModel, LinearModel, RootLocus, StepResponses, step_duration};
use nalgebra::{Complex, DMatrix};

/// A model of one input and one output from rows.
fn of(a: &[f64], b: &[f64], c: &[f64], d: f64) -> LinearModel {
    let n = b.len();
    LinearModel {
        a: DMatrix::from_row_slice(n, n, a),
        b: DMatrix::from_column_slice(n, 1, b),
        c: DMatrix::from_row_slice(1, n, c),
        d: DMatrix::from_element(1, 1, d),
        ..model(&mut Numbers(1), n, 1, None, true)
    }
}

fn values(steps: &StepResponses) -> impl Iterator<Item = (f64, f64)> {
    steps.times.iter().copied().zip(steps.values.iter().map(|value| value[(0, 0)]))
}

#[test]
fn steps_without_delays_are_closed_forms() {
    let steps = of(&[-2.0], &[3.0], &[1.0], 0.5).step_responses(4.0);
    for (t, y) in values(&steps) {
        let expected = 0.5 + 1.5 * (1.0 - (-2.0 * t).exp());
        assert!((y - expected).abs() < 1e-12, "{t}: {y} instead of {expected}");
    }
    // In discrete time: y[k] = 1 - 0.5^k.
    let sampled = LinearModel { period: Some(0.1), ..of(&[0.5], &[0.5], &[1.0], 0.0) };
    for (k, (t, y)) in values(&sampled.step_responses(2.0)).enumerate() {
        assert!((t - 0.1 * k as f64).abs() < 1e-12 && (y - (1.0 - 0.5_f64.powi(k as i32))).abs() < 1e-12);
    }
}

#[test]
fn a_lag_behind_a_delay_begins_when_the_delay_ends() {
    // x' = -x + w, w the input 0.3 s before.
    for delay in [0.3, 0.07, 1.234] {
        let late = DelayedModel {
            model: of(&[-1.0, 1.0, 0.0, 0.0], &[0.0, 1.0], &[1.0, 0.0], 0.0),
            delays: vec![None, Some(delay)],
        };
        let steps = late.step_responses(5.0);
        assert_eq!(steps.rounded, 0.0);
        for (t, y) in values(&steps) {
            let expected = 1.0 - (-(t - delay).max(0.0)).exp();
            assert!((y - expected).abs() < 1e-11, "{delay}, {t}: {y} instead of {expected}");
        }
    }
}

/// `x' = k (1 - x(t - T))` from rest: by the method of steps, `x = sum of (-1)^j k^(j+1) (t - j T)^(j+1)/(j+1)!`.
#[test]
fn an_integrator_in_a_delayed_loop_is_its_sum_of_powers() {
    for (k, delay) in [(1.0, 0.5), (2.5, 0.6), (1.57, 1.0)] {
        // States: x, and the delayed x; the output is x.
        let late = DelayedModel {
            model: of(&[0.0, -k, 1.0, 0.0], &[k, 0.0], &[1.0, 0.0], 0.0),
            delays: vec![None, Some(delay)],
        };
        for (t, y) in values(&late.step_responses(6.0)) {
            let mut expected = 0.0;
            let mut j = 0;
            while t - f64::from(j) * delay > 0.0 {
                let factorial = (1..=j + 1).map(f64::from).product::<f64>();
                expected += (-1.0_f64).powi(j) * (k * (t - f64::from(j) * delay)).powi(j + 1) / factorial;
                j += 1;
            }
            // The closed form cancels.
            assert!((y - expected).abs() < 1e-9 * expected.abs().max(1.0), "{k}, {delay}, {t}: {y}, {expected}");
        }
    }
}

#[test]
fn two_delays_and_a_loop_through_them_alone() {
    // y = w1, w1(t) = u(t - 0.2) + w2(t)/2 delayed by 0.2, w2(t) = w1(t - 0.3): an echo.
    let late = DelayedModel {
        model: of(&[0.0, 0.5, 1.0, 0.0], &[1.0, 0.0], &[1.0, 0.0], 0.0),
        delays: vec![Some(0.2), Some(0.3)],
    };
    for (t, y) in values(&late.step_responses(3.0)) {
        // An echo arrives every 0.5 s.
        let arrived = ((t - 0.2) / 0.5).floor();
        let near_jump = ((t - 0.2) / 0.5 - ((t - 0.2) / 0.5).round()).abs() < 1e-9;
        let expected = if arrived < 0.0 { 0.0 } else { 2.0 - 0.5_f64.powf(arrived) };
        assert!(near_jump || (y - expected).abs() < 1e-12, "{t}: {y} instead of {expected}");
    }
}

#[test]
fn durations_follow_the_slowest_part() {
    let pole = |re: f64, im: f64| Complex::new(re, im);
    assert!((step_duration(&[pole(-0.5, 0.0), pole(-20.0, 0.0)], None, 0.0) - 14.0).abs() < 1e-12);
    assert!(step_duration(&[pole(0.0, 0.0), pole(-2.0, 0.0)], None, 1.0) > 5.0);
    assert!(step_duration(&[], None, 0.0) > 0.0);
    assert!((step_duration(&[pole((-0.05_f64).exp(), 0.0)], Some(0.1), 0.0) - 14.0).abs() < 1e-9);
}

/// `s³ + 6 s² + 11 s + 6 + k` is at the edge of stability at k = 60 by the criterion of Routh, with s² = -11; and at
/// k = -6 with s = 0.
#[test]
fn crossings_are_those_of_routh() {
    let poles = |k: f64| {
        let companion = DMatrix::from_row_slice(3, 3, &[0.0, 1.0, 0.0, 0.0, 0.0, 1.0, -6.0 - k, -11.0, -6.0]);
        Ok::<_, ()>(companion.complex_eigenvalues().as_slice().to_vec())
    };
    let values: Vec<f64> = (0..41).map(|k| -10.0 + 110.0 * f64::from(k) / 40.0).collect();
    let locus = RootLocus::of(&values, false, poles).unwrap();
    let [first, second] = locus.crossings[..] else { panic!("{:?}", locus.crossings) };
    assert!((first.value + 6.0).abs() < 1e-8 && !first.to_unstable && first.pole.1 == 0.0, "{first:?}");
    assert!((second.value - 60.0).abs() < 1e-8 && second.to_unstable, "{second:?}");
    assert!((second.pole.1 - 11.0_f64.sqrt()).abs() < 1e-6, "{second:?}");
    // Branches do not jump.
    for pair in locus.branches.windows(2) {
        assert!(pair[0].iter().zip(&pair[1]).all(|(a, b)| (a - b).norm() < 2.0), "{pair:?}");
    }
    // z² - 1.2 z + k leaves the unit circle at k = 1.
    let poles = |k: f64| {
        let companion = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -k, 1.2]);
        Ok::<_, ()>(companion.complex_eigenvalues().as_slice().to_vec())
    };
    let values: Vec<f64> = (0..21).map(|k| 0.3 + 0.1 * f64::from(k)).collect();
    let locus = RootLocus::of(&values, true, poles).unwrap();
    assert!(locus.crossings.len() == 1 && (locus.crossings[0].value - 1.0).abs() < 1e-8, "{:?}", locus.crossings);
}
