//! Products of small matrices and vectors of dual numbers.
//!
//! nalgebra's generic product is a sum of `1 a x + 1 y`: three multiplications of dual numbers per term, two of them by
//! one. Here there is one multiplication per term. Terms are added in the same order, to the same bits. Plain numbers
//! keep nalgebra's products, which the compiler unrolls better.

use kinegraph_core::scalar::Scalar;
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};
use std::any::TypeId;

/// True if the scalar carries no derivatives; known at compile time.
#[inline(always)]
pub(crate) fn is_plain<S: 'static>() -> bool {
    TypeId::of::<S>() == TypeId::of::<f64>()
}

/// `m v`.
#[inline(always)]
pub fn turn<S: Scalar>(m: &Matrix3<S>, v: &Vector3<S>) -> Vector3<S> {
    if is_plain::<S>() {
        return m * v;
    }
    let row = |i: usize| m[(i, 0)] * v.x + m[(i, 1)] * v.y + m[(i, 2)] * v.z;
    Vector3::new(row(0), row(1), row(2))
}

/// `m v` with a constant vector `v`.
#[inline(always)]
pub fn turn_constant<S: Scalar>(m: &Matrix3<S>, v: &Vector3<f64>) -> Vector3<S> {
    turn(m, &v.map(S::constant))
}

/// `a b`.
#[inline(always)]
pub fn compose<S: Scalar>(a: &Matrix3<S>, b: &Matrix3<S>) -> Matrix3<S> {
    if is_plain::<S>() {
        return a * b;
    }
    let column = |j: usize| turn(a, &Vector3::new(b[(0, j)], b[(1, j)], b[(2, j)]));
    Matrix3::from_columns(&[column(0), column(1), column(2)])
}

/// `a b` with a constant matrix `b`.
#[inline(always)]
pub(crate) fn compose_constant<S: Scalar>(a: &Matrix3<S>, b: &Matrix3<f64>) -> Matrix3<S> {
    compose(a, &b.map(S::constant))
}

/// `a x`.
#[inline(always)]
pub fn times<S: Scalar, const N: usize>(a: &SMatrix<S, N, N>, x: &SVector<S, N>) -> SVector<S, N> {
    if is_plain::<S>() {
        return a * x;
    }
    let mut y = SVector::from_fn(|i, _| a[(i, 0)] * x[0]);
    for j in 1..N {
        (0..N).for_each(|i| y[i] += a[(i, j)] * x[j]);
    }
    y
}

/// `x' y`.
#[inline(always)]
pub fn dot<S: Scalar, const N: usize>(x: &SVector<S, N>, y: &SVector<S, N>) -> S {
    if is_plain::<S>() {
        return x.dot(y);
    }
    (1..N).fold(x[0] * y[0], |sum, i| sum + x[i] * y[i])
}

/// `a -= x y'`.
#[inline(always)]
pub(crate) fn subtract_outer<S: Scalar, const N: usize>(
    a: &mut SMatrix<S, N, N>,
    x: &SVector<S, N>,
    y: &SVector<S, N>,
) {
    if is_plain::<S>() {
        *a -= x * y.transpose();
        return;
    }
    for j in 0..N {
        (0..N).for_each(|i| a[(i, j)] -= x[i] * y[j]);
    }
}
