//! Factors of single blocks.

use super::RealScalar;

/// Cholesky factor in place of the lower triangle (column major) of a small block of size `n`; its diagonal is
/// inverted. `false` if the block is not positive definite. (Inlined: a constant size lets the compiler unroll.)
#[inline]
pub(crate) fn factor_small<T: RealScalar>(a: &mut [T], n: usize) -> bool {
    for j in 0..n {
        let (done, rest) = a.split_at_mut(j * n);
        let column = &mut rest[..n];
        for before in done.chunks_exact(n) {
            let l = before[j];
            for (x, y) in column[j..].iter_mut().zip(&before[j..]) {
                *x -= l * *y;
            }
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
