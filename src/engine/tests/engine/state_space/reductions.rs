//! Minimal realizations, reduced models and peak gains, in continuous and in discrete time.

use super::random::{Numbers, model};
use kinegraph_engine::linearize::state_space::{LinearModel, ReduceFault, largest_gain};
use nalgebra::{Complex, DMatrix};

/// Two models side by side: the first has the inputs and outputs.
fn beside(model: &LinearModel, other: &DMatrix<f64>, reached: bool, numbers: &mut Numbers) -> LinearModel {
    let (n, k) = (model.a.nrows(), other.nrows());
    let mut a = DMatrix::zeros(n + k, n + k);
    a.view_mut((0, 0), (n, n)).copy_from(&model.a);
    a.view_mut((n, n), (k, k)).copy_from(other);
    let (mut b, mut c) = (DMatrix::zeros(n + k, model.b.ncols()), DMatrix::zeros(model.c.nrows(), n + k));
    b.rows_mut(0, n).copy_from(&model.b);
    c.columns_mut(0, n).copy_from(&model.c);
    // A state that is reached is not shown, and the other way round; each may drive or be driven by the rest.
    if reached {
        b.rows_mut(n, k).copy_from(&numbers.matrix(k, model.b.ncols(), 1.0));
        a.view_mut((n, 0), (k, n)).copy_from(&numbers.matrix(k, n, 1.0));
    } else {
        c.columns_mut(n, k).copy_from(&numbers.matrix(model.c.nrows(), k, 1.0));
        a.view_mut((0, n), (n, k)).copy_from(&numbers.matrix(n, k, 1.0));
    }
    let names = (0..n + k).map(|i| format!("x{i}")).collect();
    LinearModel { a, b, c, rates: vec![0.0; n + k], state_names: names, ..model.clone() }
}

/// A model in other coordinates.
fn turned(model: &LinearModel, numbers: &mut Numbers) -> LinearModel {
    let n = model.a.nrows();
    let turn = DMatrix::identity(n, n) + numbers.matrix(n, n, 0.4 / n as f64);
    let back = turn.clone().try_inverse().unwrap();
    LinearModel { a: &turn * &model.a * &back, b: &turn * &model.b, c: &model.c * &back, ..model.clone() }
}

fn frequencies(model: &LinearModel) -> Vec<f64> {
    let highest = model.period.map_or(50.0, |period| std::f64::consts::PI / period);
    (0..60).map(|k| highest * 1e-3_f64.powf(1.0 - f64::from(k) / 59.0)).collect()
}

#[test]
fn minimal_realizations_lose_what_was_added_and_keep_the_response() {
    let mut numbers = Numbers(11);
    for draw in 0..120 {
        let period = (draw % 2 == 1).then(|| numbers.between(0.05, 0.5));
        let core = model(&mut numbers, 2 + draw % 3, 1 + draw % 2, period, true);
        let unreached = model(&mut numbers, 1 + draw % 2, 1, period, true).a;
        let unseen = model(&mut numbers, 1, 1, period, true).a;
        let whole = beside(&beside(&core, &unreached, false, &mut numbers), &unseen, true, &mut numbers);
        let whole = turned(&whole, &mut numbers);
        let (found, removed) = whole.minimal(1e-9).unwrap();
        assert_eq!(found.a.nrows(), core.a.nrows(), "draw {draw}");
        assert_eq!((removed.unreachable.len(), removed.unobservable.len()), (unreached.nrows(), 1), "draw {draw}");
        // The poles that left are those of the parts that were added.
        let (mut expected, mut left) = (unreached.complex_eigenvalues().as_slice().to_vec(), removed.unreachable);
        let by_part = |a: &Complex<f64>, b: &Complex<f64>| a.re.total_cmp(&b.re).then(a.im.total_cmp(&b.im));
        expected.sort_by(by_part);
        left.sort_by(by_part);
        for (found, expected) in left.iter().zip(&expected) {
            assert!((found - expected).norm() < 1e-6, "draw {draw}: {found} instead of {expected}");
        }
        for w in frequencies(&core) {
            let (found, expected) = (found.response(w), core.response(w));
            assert!((&found - &expected).norm() < 1e-8 * expected.norm().max(1.0), "draw {draw} at {w}");
        }
        // What is minimal already stays as it is.
        let (same, nothing) = core.minimal(1e-9).unwrap();
        assert_eq!((same, nothing.unreachable.len() + nothing.unobservable.len()), (core, 0));
    }
}

/// The solution of `A X + X Aᵀ + Q = 0`, or of `A X Aᵀ - X + Q = 0`, as one linear system.
fn gramian(a: &DMatrix<f64>, q: &DMatrix<f64>, discrete: bool) -> DMatrix<f64> {
    let n = a.nrows();
    let one = DMatrix::<f64>::identity(n, n);
    let system =
        if discrete { a.kronecker(a) - DMatrix::identity(n * n, n * n) } else { one.kronecker(a) + a.kronecker(&one) };
    let right = -DMatrix::from_column_slice(n * n, 1, q.as_slice());
    DMatrix::from_column_slice(n, n, system.lu().solve(&right).unwrap().as_slice())
}

#[test]
fn reduced_models_have_the_hankel_singular_values_and_keep_their_bound() {
    let mut numbers = Numbers(12);
    for draw in 0..100 {
        let period = (draw % 2 == 1).then(|| numbers.between(0.05, 0.5));
        let whole = model(&mut numbers, 5, 1 + draw % 2, period, true);
        let moved = gramian(&whole.a, &(&whole.b * whole.b.transpose()), period.is_some());
        let shown = gramian(&whole.a.transpose(), &(whole.c.transpose() * &whole.c), period.is_some());
        let mut expected: Vec<f64> =
            (moved * shown).complex_eigenvalues().iter().map(|x| x.re.max(0.0).sqrt()).collect();
        expected.sort_by(|a, b| b.total_cmp(a));
        for order in 1..5 {
            let reduced = whole.reduced(order).unwrap();
            assert_eq!((reduced.model.a.nrows(), reduced.unstable), (order, 0));
            for (found, expected_value) in reduced.hankel.iter().zip(&expected) {
                assert!((found - expected_value).abs() < 1e-7 * expected[0], "draw {draw}: {found}, {expected_value}");
            }
            let bound = 2.0 * reduced.hankel[order..].iter().sum::<f64>();
            assert!((reduced.error_bound - bound).abs() <= 1e-15 * bound);
            for w in frequencies(&whole) {
                let error = largest_gain(&(whole.response(w) - reduced.model.response(w)));
                assert!(error <= bound * (1.0 + 1e-9) + 1e-12, "draw {draw}, {order} at {w}: {error} above {bound}");
            }
        }
        let too_many = whole.reduced(5);
        assert_eq!(too_many, Err(ReduceFault::NotFewer { asked: 5, states: 5 }));
    }
}

#[test]
fn states_that_are_not_stable_stay_in_reduced_models() {
    let mut numbers = Numbers(13);
    for draw in 0..60 {
        let period = (draw % 2 == 1).then(|| numbers.between(0.05, 0.5));
        let stable = model(&mut numbers, 4, 1, period, true);
        // An integrator, or a pole that grows.
        let edge = if period.is_some() { 1.0 } else { 0.0 };
        let pole = if draw % 4 < 2 { edge } else { edge + 0.3 };
        let mut whole = beside(&stable, &DMatrix::from_element(1, 1, pole), false, &mut numbers);
        whole.b[(4, 0)] = 1.0;
        let whole = turned(&whole, &mut numbers);
        assert!(matches!(whole.reduced(0), Err(ReduceFault::Unstable { unstable: 1, .. })), "draw {draw}");
        let reduced = whole.reduced(3).unwrap();
        assert_eq!(reduced.unstable, 1);
        let poles = reduced.model.poles().unwrap();
        assert!(poles.iter().any(|found| (found - pole).norm() < 1e-6), "draw {draw}: {poles:?} without {pole}");
        for w in frequencies(&whole) {
            let error = largest_gain(&(whole.response(w) - reduced.model.response(w)));
            assert!(
                error <= reduced.error_bound * (1.0 + 1e-6) + 1e-7 * whole.response(w).norm(),
                "draw {draw} at {w}"
            );
        }
    }
}

#[test]
fn peak_gains_are_those_of_the_closed_form_however_narrow() {
    for damping in [0.5, 0.1, 1e-2, 1e-4, 1e-6] {
        for w0 in [1e-2, 1.0, 330.0] {
            let model = LinearModel {
                a: DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -w0 * w0, -2.0 * damping * w0]),
                b: DMatrix::from_row_slice(2, 1, &[0.0, w0 * w0]),
                c: DMatrix::from_row_slice(1, 2, &[1.0, 0.0]),
                d: DMatrix::zeros(1, 1),
                ..model(&mut Numbers(1), 2, 1, None, true)
            };
            let peak = model.peak_gain().unwrap();
            let expected = 1.0 / (2.0 * damping * (1.0 - damping * damping).sqrt());
            assert!((peak.gain / expected - 1.0).abs() < 1e-8, "{damping}, {w0}: {peak:?} instead of {expected}");
            let at = w0 * (1.0 - 2.0 * damping * damping).sqrt();
            assert!((peak.frequency / at - 1.0).abs() < 1e-3, "{damping}, {w0}: {peak:?} instead of {at}");
        }
    }
}

#[test]
fn no_frequency_has_more_than_the_peak() {
    let mut numbers = Numbers(14);
    for draw in 0..100 {
        let period = (draw % 2 == 1).then(|| numbers.between(0.05, 0.5));
        let model = model(&mut numbers, 4, 1 + draw % 3, period, true);
        let peak = model.peak_gain().unwrap();
        let highest = period.map_or(100.0, |period| std::f64::consts::PI / period);
        let grid = (0..4000).map(|k| highest * f64::from(k) / 3999.0);
        let most = grid.map(|w| largest_gain(&model.response(w))).fold(0.0, f64::max);
        assert!(most <= peak.gain * (1.0 + 1e-8), "draw {draw}: {most} above {peak:?}");
        assert!(most >= peak.gain * 0.9 || period.is_none(), "draw {draw}: {most} far below {peak:?}");
        let there = largest_gain(&model.response(peak.frequency.min(1e12)));
        assert!((there / peak.gain - 1.0).abs() < 1e-6, "draw {draw}: {there} at the frequency of {peak:?}");
    }
}
