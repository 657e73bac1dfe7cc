//! Kernels on single blocks, column major. For blocks of six by six, those of free bodies, sizes are constants of the
//! code.
//!
//! A factored diagonal block holds L. That of a free body has the reciprocals of the pivots on its diagonal, so that no
//! later solve divides. Other blocks have the pivots themselves, and solves divide by them, which rounds less.

use crate::linear_algebra::{RealScalar, subtract_columns};

/// Velocities of a free body.
pub(super) const FREE: usize = 6; // size
/// Numbers in a block between two free bodies.
pub(super) const FREE_BLOCK: usize = FREE * FREE;

/// `d -= a b'`, where `a` is m x k, `b` is n x k, and `d` is m x n with columns `stride` apart.
#[inline(always)]
pub(super) fn subtract_product<T: RealScalar>(d: &mut [T], stride: usize, a: &[T], b: &[T], [m, n, k]: [usize; 3]) {
    if let (Ok(a), Ok(b), FREE, FREE) = (<&[T; FREE_BLOCK]>::try_from(a), <&[T; FREE_BLOCK]>::try_from(b), m, k) {
        return subtract_free_product(d, stride, a, b);
    }
    for c in 0..n {
        let column = &mut d[c * stride..c * stride + m];
        for (a, b) in a.chunks_exact(m).zip(b.chunks_exact(n)) {
            let factor = b[c];
            for (d, &x) in column.iter_mut().zip(a) {
                *d -= x * factor;
            }
        }
    }
    debug_assert_eq!((a.len(), b.len()), (m * k, n * k));
}

/// Subtracts the product between free bodies, two columns at a time. Six rows are four and two; the last two rows of
/// both columns fill one more vector of four.
#[inline(always)]
fn subtract_free_product<T: RealScalar>(d: &mut [T], stride: usize, a: &[T; FREE_BLOCK], b: &[T; FREE_BLOCK]) {
    for c in (0..FREE).step_by(2) {
        let Some((left, right)) = d.get_mut(c * stride..).and_then(|d| d.split_at_mut_checked(stride)) else { return };
        let (Some(left), Some(right)) = (left.first_chunk_mut::<FREE>(), right.first_chunk_mut::<FREE>()) else {
            return;
        };
        let (mut upper, mut other) = ([left[0], left[1], left[2], left[3]], [right[0], right[1], right[2], right[3]]);
        let mut lower = [left[4], left[5], right[4], right[5]];
        for p in 0..FREE {
            let a = &a[p * FREE..(p + 1) * FREE];
            let (x, y) = (b[p * FREE + c], b[p * FREE + c + 1]);
            let (last, factors) = ([a[4], a[5], a[4], a[5]], [x, x, y, y]);
            for r in 0..4 {
                upper[r] -= a[r] * x;
                other[r] -= a[r] * y;
                lower[r] -= last[r] * factors[r];
            }
        }
        *left = [upper[0], upper[1], upper[2], upper[3], lower[0], lower[1]];
        *right = [other[0], other[1], other[2], other[3], lower[2], lower[3]];
    }
}

/// Divides `x` by a pivot. `stored` is the entry of the block: the pivot, or its reciprocal if `reciprocal`.
#[inline(always)]
fn over<T: RealScalar>(x: T, stored: T, reciprocal: bool) -> T {
    if reciprocal { x * stored } else { x / stored }
}

/// Factors a diagonal block in place. `false` if it is not positive definite or not finite.
#[inline(always)]
pub(super) fn factor<T: RealScalar>(block: &mut [T], n: usize) -> bool {
    match <&mut [T; FREE_BLOCK]>::try_from(&mut *block) {
        Ok(block) if n == FREE => factor_free(block),
        _ => factor_any(block, n),
    }
}

/// Factors the block of a free body by L D L', and scales the columns by roots after that: each pivot waits for the one
/// before, and would wait for its root as well.
#[inline(always)]
fn factor_free<T: RealScalar>(block: &mut [T; FREE_BLOCK]) -> bool {
    let mut inverses = [T::ZERO; FREE];
    for j in 0..FREE {
        let pivot = block[j * FREE + j];
        if !(pivot > T::ZERO && pivot < T::LARGEST) {
            return false;
        }
        inverses[j] = T::ONE / pivot;
        for c in j + 1..FREE {
            let factor = block[j * FREE + c] * inverses[j];
            for r in c..FREE {
                block[c * FREE + r] -= block[j * FREE + r] * factor;
            }
        }
    }
    for j in 0..FREE {
        let scale = inverses[j].root();
        block[j * FREE + j] = scale;
        for r in j + 1..FREE {
            block[j * FREE + r] *= scale;
        }
    }
    true
}

/// Factors a matrix of any size in place, with the pivots themselves on its diagonal. `false` if it is not positive
/// definite or not finite.
#[inline(always)]
pub(super) fn factor_any<T: RealScalar>(block: &mut [T], n: usize) -> bool {
    for j in 0..n {
        let (done, rest) = block.split_at_mut(j * n);
        let column = &mut rest[..n];
        subtract_columns(done, column, j);
        let pivot = column[j];
        if !(pivot > T::ZERO && pivot < T::LARGEST) {
            return false;
        }
        let root = pivot.root();
        column[j] = root;
        column[j + 1..].iter_mut().for_each(|x| *x /= root);
    }
    true
}

/// `x := x L'^-1` with a factored diagonal block `l` of size n; `x` is m x n.
#[inline(always)]
pub(super) fn solve_right<T: RealScalar>(l: &[T], x: &mut [T], m: usize, n: usize) {
    match (<&[T; FREE_BLOCK]>::try_from(l), <&mut [T; FREE_BLOCK]>::try_from(&mut *x)) {
        (Ok(l), Ok(x)) if m == FREE && n == FREE => solve_right_free(l, x),
        _ => solve_right_any(l, x, m, n),
    }
}

#[inline(always)]
fn solve_right_free<T: RealScalar>(l: &[T; FREE_BLOCK], x: &mut [T; FREE_BLOCK]) {
    for j in 0..FREE {
        for p in 0..j {
            let factor = l[p * FREE + j];
            for r in 0..FREE {
                x[j * FREE + r] -= x[p * FREE + r] * factor;
            }
        }
        for r in 0..FREE {
            x[j * FREE + r] *= l[j * FREE + j];
        }
    }
}

#[inline(always)]
fn solve_right_any<T: RealScalar>(l: &[T], x: &mut [T], m: usize, n: usize) {
    for j in 0..n {
        let (left, right) = x.split_at_mut(j * m);
        let column = &mut right[..m];
        for (p, earlier) in left.chunks_exact(m).enumerate() {
            let factor = l[p * n + j];
            for (x, &y) in column.iter_mut().zip(earlier) {
                *x -= y * factor;
            }
        }
        for x in column {
            *x = over(*x, l[j * n + j], n == FREE);
        }
    }
}

/// `x := L^-1 x`.
#[inline(always)]
pub(super) fn solve_lower<T: RealScalar>(l: &[T], x: &mut [T]) {
    match (<&[T; FREE_BLOCK]>::try_from(l), <&mut [T; FREE]>::try_from(&mut *x)) {
        (Ok(l), Ok(x)) => solve_lower_free(l, x),
        _ => solve_lower_any(l, x, x.len() == FREE),
    }
}

#[inline(always)]
fn solve_lower_free<T: RealScalar>(l: &[T; FREE_BLOCK], x: &mut [T; FREE]) {
    for j in 0..FREE {
        x[j] *= l[j * FREE + j];
        for i in j + 1..FREE {
            x[i] -= l[j * FREE + i] * x[j];
        }
    }
}

/// `x := L^-1 x`; the diagonal of `l` has the pivots, or their reciprocals if `reciprocal`.
#[inline(always)]
pub(super) fn solve_lower_any<T: RealScalar>(l: &[T], x: &mut [T], reciprocal: bool) {
    let n = x.len();
    for j in 0..n {
        let xj = over(x[j], l[j * n + j], reciprocal);
        x[j] = xj;
        for (x, &l) in x[j + 1..].iter_mut().zip(&l[j * n + j + 1..(j + 1) * n]) {
            *x -= l * xj;
        }
    }
}

/// `x := L'^-1 x`.
#[inline(always)]
pub(super) fn solve_upper<T: RealScalar>(l: &[T], x: &mut [T]) {
    match (<&[T; FREE_BLOCK]>::try_from(l), <&mut [T; FREE]>::try_from(&mut *x)) {
        (Ok(l), Ok(x)) => solve_upper_free(l, x),
        _ => solve_upper_any(l, x, x.len() == FREE),
    }
}

#[inline(always)]
fn solve_upper_free<T: RealScalar>(l: &[T; FREE_BLOCK], x: &mut [T; FREE]) {
    for j in (0..FREE).rev() {
        for i in j + 1..FREE {
            x[j] -= l[j * FREE + i] * x[i];
        }
        x[j] *= l[j * FREE + j];
    }
}

/// `x := L'^-1 x`; the diagonal of `l` has the pivots, or their reciprocals if `reciprocal`.
#[inline(always)]
pub(super) fn solve_upper_any<T: RealScalar>(l: &[T], x: &mut [T], reciprocal: bool) {
    let n = x.len();
    for j in (0..n).rev() {
        let product = product(&l[j * n + j + 1..(j + 1) * n], &x[j + 1..]);
        x[j] = over(x[j] - product, l[j * n + j], reciprocal);
    }
}

/// `a.b`, as four partial sums.
#[inline(always)]
fn product<T: RealScalar>(a: &[T], b: &[T]) -> T {
    let ((a, odd_a), (b, odd_b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut sums = [T::ZERO; 4];
    for (a, b) in a.iter().zip(b) {
        (0..4).for_each(|k| sums[k] += a[k] * b[k]);
    }
    let odd = odd_a.iter().zip(odd_b).fold(T::ZERO, |sum, (&a, &b)| sum + a * b);
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + odd
}

/// `y -= a x`, where `a` is m x n.
#[inline(always)]
pub(super) fn subtract_times<T: RealScalar>(y: &mut [T], a: &[T], x: &[T]) {
    let free = (<&[T; FREE_BLOCK]>::try_from(a), <&mut [T; FREE]>::try_from(&mut *y), <&[T; FREE]>::try_from(x));
    if let (Ok(a), Ok(y), Ok(x)) = free {
        for j in 0..FREE {
            for i in 0..FREE {
                y[i] -= a[j * FREE + i] * x[j];
            }
        }
        return;
    }
    subtract_times_any(y, a, x);
}

#[inline(always)]
fn subtract_times_any<T: RealScalar>(y: &mut [T], a: &[T], x: &[T]) {
    for (column, &x) in a.chunks_exact(y.len()).zip(x) {
        for (y, &a) in y.iter_mut().zip(column) {
            *y -= a * x;
        }
    }
}

/// `y -= a' x`, where `a` is m x n.
#[inline(always)]
pub(super) fn subtract_transposed_times<T: RealScalar>(y: &mut [T], a: &[T], x: &[T]) {
    let free = (<&[T; FREE_BLOCK]>::try_from(a), <&mut [T; FREE]>::try_from(&mut *y), <&[T; FREE]>::try_from(x));
    if let (Ok(a), Ok(y), Ok(x)) = free {
        for j in 0..FREE {
            for i in 0..FREE {
                y[j] -= a[j * FREE + i] * x[i];
            }
        }
        return;
    }
    subtract_transposed_times_any(y, a, x);
}

#[inline(always)]
fn subtract_transposed_times_any<T: RealScalar>(y: &mut [T], a: &[T], x: &[T]) {
    for (column, y) in a.chunks_exact(x.len()).zip(y) {
        for (&a, &x) in column.iter().zip(x) {
            *y -= a * x;
        }
    }
}
