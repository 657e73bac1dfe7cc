//! Factors of single blocks, and their building blocks.

use super::RealScalar;

/// Velocities of a free body.
const FREE: usize = 6; // size
/// Number of values that are computed together.
const LANES: usize = 4; // size

/// Subtracts from `column`, the j-th of a factor, the contributions of all columns before it (`done`), from row j on.
/// Rows before may change too: the upper triangle is not used.
#[inline(always)]
pub fn subtract_columns<T: RealScalar>(done: &[T], column: &mut [T], j: usize) {
    let n = column.len();
    let odd = (n - j) % LANES;
    let mut row = j;
    if odd > 0 && j + odd >= LANES {
        row = j + odd - LANES;
    } else if odd > 0 {
        row = j + odd;
        for before in done.chunks_exact(n) {
            let factor = before[j];
            for (x, &l) in column[j..row].iter_mut().zip(&before[j..row]) {
                *x -= l * factor;
            }
        }
    }
    let (pairs, rest) = column[row..].as_chunks_mut::<{ 2 * LANES }>();
    for chunk in pairs {
        // By value: the compiler need not know that they stand apart.
        let mut sum = *chunk;
        for before in done.chunks_exact(n) {
            let factor = before[j];
            let Some(l) = before[row..].first_chunk::<{ 2 * LANES }>() else { break };
            for k in 0..2 * LANES {
                sum[k] -= l[k] * factor;
            }
        }
        *chunk = sum;
        row += 2 * LANES;
    }
    let (chunks, _) = rest.as_chunks_mut::<LANES>();
    for chunk in chunks {
        // By value, so that the compiler need not prove them disjoint.
        let mut sum = *chunk;
        for before in done.chunks_exact(n) {
            let factor = before[j];
            let Some(l) = before[row..].first_chunk::<LANES>() else { break };
            for k in 0..LANES {
                sum[k] -= l[k] * factor;
            }
        }
        *chunk = sum;
        row += LANES;
    }
}

/// Solves `L y = x` in place, where the factor L (column major) has the inverted diagonal; returns |y|².
#[inline(always)]
pub fn solve_lower_squared(factor: &[f64], x: &mut [f64]) -> f64 {
    let n = x.len();
    let (mut sum, mut row) = (0.0, 0);
    while row < n {
        let (done, rest) = x.split_at_mut(row);
        let (before, own) = factor.split_at(row * n);
        let Some(chunk) = rest.first_chunk_mut::<LANES>() else {
            for i in 0..rest.len() {
                let mut y = rest[i];
                for (l, &z) in before.chunks_exact(n).zip(&*done) {
                    y -= l[row + i] * z;
                }
                for (l, &z) in own.chunks_exact(n).zip(&rest[..i]) {
                    y -= l[row + i] * z;
                }
                y *= own[i * n + row + i];
                rest[i] = y;
                sum += y * y;
            }
            return sum;
        };
        let mut y = *chunk;
        for (l, &z) in before.chunks_exact(n).zip(&*done) {
            let Some(l) = l[row..].first_chunk::<LANES>() else { break };
            for k in 0..LANES {
                y[k] -= l[k] * z;
            }
        }
        for (j, l) in own.chunks_exact(n).take(LANES).enumerate() {
            let Some(l) = l[row..].first_chunk::<LANES>() else { break };
            y[j] *= l[j];
            sum += y[j] * y[j];
            for k in j + 1..LANES {
                y[k] -= l[k] * y[j];
            }
        }
        *chunk = y;
        row += LANES;
    }
    sum
}

/// Cholesky factor in place of the lower triangle (column major) of a small block of size `n`; its diagonal is
/// inverted, its upper triangle lost. `false` if the block is not positive definite. (Inlined: a constant size lets the
/// compiler unroll.)
#[inline(always)]
pub fn factor_small<T: RealScalar>(a: &mut [T], n: usize) -> bool {
    for j in 0..n {
        let (done, rest) = a.split_at_mut(j * n);
        let column = &mut rest[..n];
        if n == FREE {
            for before in done.chunks_exact(n) {
                let l = before[j];
                for (x, y) in column[j..].iter_mut().zip(&before[j..]) {
                    *x -= l * *y;
                }
            }
        } else {
            subtract_columns(done, column, j);
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
