//! Invariant zeros.

use kinegraph_engine::linearize::LinearModel;
use nalgebra::{Complex, DMatrix};

fn model(a: DMatrix<f64>, b: DMatrix<f64>, c: DMatrix<f64>, d: DMatrix<f64>) -> LinearModel {
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
    LinearModel {
        rates: vec![0.0; a.nrows()],
        output_values: vec![0.0; c.nrows()],
        state_names: names(a.nrows()),
        input_names: names(b.ncols()),
        output_names: names(c.nrows()),
        cut_by: Vec::new(),
        flat: Vec::new(),
        period: None,
        a,
        b,
        c,
        d,
    }
}

/// Numbers in (-1, 1), the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        2.0 * (self.0 >> 11) as f64 / (1_u64 << 53) as f64 - 1.0
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> DMatrix<f64> {
        DMatrix::from_fn(rows, columns, |_, _| self.next())
    }
}

/// Rank defect of `[A - s I, B; C, D]`: its smallest singular value over the largest.
fn defect(m: &LinearModel, s: Complex<f64>) -> f64 {
    let (n, outputs, inputs) = (m.a.nrows(), m.c.nrows(), m.b.ncols());
    let pencil = DMatrix::from_fn(n + outputs, n + inputs, |i, j| {
        let real = match (i < n, j < n) {
            (true, true) => m.a[(i, j)],
            (true, false) => m.b[(i, j - n)],
            (false, true) => m.c[(i - n, j)],
            (false, false) => m.d[(i - n, j - n)],
        };
        Complex::new(real, 0.0) - if i == j && i < n { s } else { Complex::new(0.0, 0.0) }
    });
    let values = pencil.singular_values();
    values.min() / values.max()
}

/// A controllable canonical form has the roots of its numerator.
#[test]
fn zeros_of_a_transfer_function_are_the_roots_of_its_numerator() {
    // (s + 2) (s² + 2 s + 5) over s^5 + s^4 + 3 s³ + 2 s² + s + 4
    let (denominator, numerator) = ([4.0, 1.0, 2.0, 3.0, 1.0], [10.0, 9.0, 4.0, 1.0, 0.0]);
    let a = DMatrix::from_fn(5, 5, |i, j| match (i, j) {
        (4, j) => -denominator[j],
        (i, j) => f64::from(u8::from(j == i + 1)),
    });
    let b = DMatrix::from_fn(5, 1, |i, _| f64::from(u8::from(i == 4)));
    let c = DMatrix::from_fn(1, 5, |_, j| numerator[j]);
    let found = model(a, b, c, DMatrix::zeros(1, 1)).zeros().unwrap();
    let expected = [Complex::new(-2.0, 0.0), Complex::new(-1.0, -2.0), Complex::new(-1.0, 2.0)];
    assert_eq!(found.len(), 3, "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).norm() < 1e-10, "{found} instead of {expected}");
    }
}

/// Of random models of one to three inputs and as many outputs, with and without feedthrough. A model without it whose
/// `C B` is invertible has as many zeros as states less outputs.
#[test]
fn the_pencil_loses_rank_at_every_zero() {
    let mut numbers = Numbers(49);
    for draw in 0..300 {
        let (n, m) = (2 + draw % 7, 1 + draw % 3);
        let feedthrough = if draw % 2 == 0 { DMatrix::zeros(m, m) } else { numbers.matrix(m, m) };
        let whole = model(numbers.matrix(n, n), numbers.matrix(n, m), numbers.matrix(m, n), feedthrough);
        let zeros = whole.zeros().unwrap();
        let expected = if draw % 2 == 0 { n.saturating_sub(m) } else { n };
        assert_eq!(zeros.len(), expected, "draw {draw}: {zeros:?}");
        for zero in zeros.iter().filter(|zero| zero.norm() < 1e3) {
            let defect = defect(&whole, *zero);
            assert!(defect < 1e-9, "draw {draw} at {zero}: {defect}");
        }
    }
}

/// Modes that no input moves, or no output shows, are zeros as well: they cancel poles.
#[test]
fn what_no_input_moves_is_a_zero() {
    let a = DMatrix::from_diagonal(&nalgebra::dvector![-1.0, -2.0, -3.0]);
    let whole = model(
        a,
        DMatrix::from_row_slice(3, 1, &[1.0, 0.0, 1.0]),
        DMatrix::from_row_slice(1, 3, &[1.0, 1.0, 0.0]),
        DMatrix::zeros(1, 1),
    );
    let zeros = whole.zeros().unwrap();
    assert_eq!(zeros.len(), 2);
    assert!((zeros[0].re + 3.0).abs() < 1e-12 && (zeros[1].re + 2.0).abs() < 1e-12, "{zeros:?}");
}

/// The states of a chain in units of their own, from 1e-12 to 1e12: the same zeros.
#[test]
fn units_of_states_move_no_zero() {
    let (denominator, numerator) = ([4.0, 1.0, 2.0, 3.0, 1.0], [10.0, 9.0, 4.0, 1.0, 0.0]);
    let unit = |i: usize| 10.0_f64.powi(6 * i as i32 - 12);
    let a = DMatrix::from_fn(5, 5, |i, j| match (i, j) {
        (4, j) => -denominator[j],
        (i, j) => f64::from(u8::from(j == i + 1)),
    });
    let a = DMatrix::from_fn(5, 5, |i, j| a[(i, j)] * unit(i) / unit(j));
    let b = DMatrix::from_fn(5, 1, |i, _| if i == 4 { unit(4) } else { 0.0 });
    let c = DMatrix::from_fn(1, 5, |_, j| numerator[j] / unit(j));
    let zeros = model(a, b, c, DMatrix::zeros(1, 1)).zeros().unwrap();
    for (zero, (re, im)) in zeros.iter().zip([(-2.0, 0.0), (-1.0, -2.0), (-1.0, 2.0)]) {
        assert!((zero - Complex::new(re, im)).norm() < 1e-9, "{zeros:?}");
    }
    assert_eq!(zeros.len(), 3);
}
