//! Tests of `src/engine/linearize/stabilizing.rs`.

use kinegraph_engine::linearize::stabilizing::{Projection, Split};
use nalgebra::{DMatrix, DVector};

fn split(k: &DMatrix<f64>, mass: &DMatrix<f64>, dt: f64) -> (Split, DMatrix<f64>) {
    let mut p = DMatrix::zeros(2, 2);
    let split = Projection::default().split(2, k.as_slice(), mass.as_slice(), dt, true, p.as_mut_slice());
    let quick = Projection::default().split(2, k.as_slice(), mass.as_slice(), dt, false, p.clone().as_mut_slice());
    assert_eq!(split, quick);
    (split, p)
}

#[test]
fn a_positive_matrix_stays_and_an_indefinite_one_loses_its_negative_part() {
    let mass = DMatrix::from_row_slice(2, 2, &[2.0_f64, 0.5, 0.5, 1.0]);
    let positive = DMatrix::from_row_slice(2, 2, &[4.0, 1.0, 1.0, 3.0]);
    assert_eq!(split(&positive, &mass, 0.01), (Split { convex: true, definite: true }, positive));
    // In the mass metric the eigenvalues of 3 M - 2 u u' are 3 and 3 - 2 u'M^-1 u < 0: the projection is 3 M -
    // (what is negative).
    let u = DVector::from_vec(vec![3.0, -1.0]);
    let quadratic = u.dot(&(mass.clone().try_inverse().unwrap() * &u));
    let k = &mass * 3.0 - &u * u.transpose() * 2.0;
    let (found, p) = split(&k, &mass, 1e-5);
    let expected = &mass * 3.0 - &u * u.transpose() * (3.0 / quadratic);
    assert!((p - expected).norm() < 1e-12);
    assert_eq!(found, Split { convex: true, definite: false });
    // The rest is 2 u'M^-1 u - 3 in this metric, too much for a long step.
    let rest = 2.0 * quadratic - 3.0;
    for (factor, convex) in [(0.99, true), (1.01, false)] {
        let dt = factor * 0.001 / (rest - 0.05 * 3.0);
        assert_eq!(split(&k, &mass, dt).0, Split { convex, definite: false });
    }
}

#[test]
fn an_antisymmetric_part_is_explicit_only_while_it_is_small() {
    let mass = DMatrix::from_row_slice(2, 2, &[2.0_f64, 0.5, 0.5, 1.0]);
    let spin = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -1.0, 0.0]);
    let k = &mass * 3.0 + &spin;
    // In the mass metric the spin is 1/sqrt(det M) of a rotation; Frobenius norms have sqrt(2) on both sides.
    let w = 1.0 / mass.determinant().sqrt();
    for (factor, convex) in [(0.99, true), (1.01, false)] {
        let dt = factor * 0.001 / (std::f64::consts::SQRT_2 * (w - 0.05 * 3.0));
        assert_eq!(split(&k, &mass, dt).0, Split { convex, definite: true });
    }
}
