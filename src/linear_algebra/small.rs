//! Factors of single blocks, and what they are made of.

use super::RealScalar;

/// Numbers that are computed together.
const LANES: usize = 4;

/// `x -= l y` from entry `from` on, by whole lanes: some entries before may change too, which must stand for nothing.
#[inline(always)]
pub(crate) fn subtract_scaled<T: RealScalar>(x: &mut [T], l: &[T], from: usize, y: T) {
    let odd = (x.len() - from) % LANES;
    let mut start = from;
    if odd > 0 && from + odd >= LANES {
        start = from + odd - LANES;
    } else if odd > 0 {
        start = from + odd;
        for (x, &l) in x[from..start].iter_mut().zip(&l[from..start]) {
            *x -= l * y;
        }
    }
    for (x, l) in x[start..].chunks_exact_mut(LANES).zip(l[start..].chunks_exact(LANES)) {
        for k in 0..LANES {
            x[k] -= l[k] * y;
        }
    }
}

/// Cholesky factor in place of the lower triangle (column major) of a small block of size `n`; its diagonal is
/// inverted, its upper triangle lost. `false` if the block is not positive definite. (Inlined: a constant size lets the compiler unroll.)
#[inline]
pub(crate) fn factor_small<T: RealScalar>(a: &mut [T], n: usize) -> bool {
    for j in 0..n {
        let (done, rest) = a.split_at_mut(j * n);
        let column = &mut rest[..n];
        for before in done.chunks_exact(n) {
            subtract_scaled(column, before, j, before[j]);
        }
        let pivot = column[j];
        if !(pivot > T::ZERO && pivot < T::LARGEST) {
            return false;
        }
        let scale = T::ONE / pivot.root();
        column[j] = scale;
        column[j + 1..].iter_mut().for_each(|x| *x *= scale);
    }
    true
}
