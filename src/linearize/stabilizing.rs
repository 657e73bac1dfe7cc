//! The part of a feedback gain that a convex step can hold: the nearest positive semidefinite matrix.
//!
//! `P = L V max(mu, 0) V' L'` with `M = L L'` and `L^-1 K_sym L^-T = V mu V'`: the projection in the metric of the mass matrix, which
//! does not depend on units. If the symmetric part of K is positive semidefinite already (a Cholesky test), it is P.

use nalgebra::{Cholesky, DMatrix, SymmetricEigen};

/// Replaces `k` (symmetric on entry) by its positive semidefinite part in the metric of `mass`.
pub(super) fn project(k: &mut DMatrix<f64>, mass: &DMatrix<f64>) {
    let n = k.nrows();
    if n == 1 {
        k[0] = k[0].max(0.0);
        return;
    }
    let largest = (0..n).fold(0.0_f64, |m, i| m.max(k[(i, i)].abs()));
    if largest == 0.0 && k.iter().all(|&x| x == 0.0) {
        return;
    }
    let mut shifted = k.clone();
    for i in 0..n {
        shifted[(i, i)] += 1e-12 * largest;
    }
    if Cholesky::new(shifted).is_some() {
        return;
    }
    let Some(factor) = Cholesky::new(mass.clone()) else {
        *k = DMatrix::from_fn(n, n, |i, j| if i == j { k[(i, i)].max(0.0) } else { 0.0 });
        return;
    };
    let l = factor.l();
    let Some(inverse) = l.clone().try_inverse() else { return };
    let eigen = SymmetricEigen::new(&inverse * &*k * inverse.transpose());
    let positive = DMatrix::from_diagonal(&eigen.eigenvalues.map(|mu| mu.max(0.0)));
    let basis = &l * &eigen.eigenvectors;
    *k = &basis * positive * basis.transpose();
    *k = (&*k + k.transpose()) * 0.5;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_positive_matrix_stays_and_an_indefinite_one_loses_its_negative_part() {
        let mass = DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]);
        let positive = DMatrix::from_row_slice(2, 2, &[4.0, 1.0, 1.0, 3.0]);
        let mut k = positive.clone();
        project(&mut k, &mass);
        assert_eq!(k, positive);
        // In the mass metric the eigenvalues of 3 M - 2 u u' are 3 and 3 - 2 u'M^-1 u < 0: the projection is 3 M - (what is negative).
        let u = nalgebra::DVector::from_vec(vec![3.0, -1.0]);
        let quadratic = u.dot(&(mass.clone().try_inverse().unwrap() * &u));
        let mut k = &mass * 3.0 - &u * u.transpose() * 2.0;
        project(&mut k, &mass);
        let expected = &mass * 3.0 - &u * u.transpose() * (3.0 / quadratic);
        assert!((k - expected).norm() < 1e-12);
    }
}
