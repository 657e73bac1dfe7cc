//! Generalized minimal residuals (GMRES) for `(1 - K) x = b` \[Saad & Schultz 1986\]: each iteration applies K once,
//! and x has the least residual in the Krylov space of K and b.

/// Workspace of a solve.
#[derive(Clone, Debug, Default)]
pub struct MinimalResidual {
    /// Orthogonal basis, one vector after the other.
    basis: Vec<f64>,
    /// Columns of the triangle into which rotations transform the Hessenberg matrix.
    triangle: Vec<f64>,
    rotations: Vec<(f64, f64)>,
    right: Vec<f64>,
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl MinimalResidual {
    /// Solves for x from x = 0, to the relative residual `tolerance`, with at most `iterations`. `apply` computes K
    /// times its first argument. Returns the relative residual.
    pub fn solve(
        &mut self,
        b: &[f64],
        x: &mut [f64],
        tolerance: f64,
        iterations: usize,
        mut apply: impl FnMut(&[f64], &mut [f64]),
    ) -> f64 {
        let MinimalResidual { basis, triangle, rotations, right } = self;
        let n = b.len();
        x.fill(0.0);
        let size = dot(b, b).sqrt();
        if size == 0.0 {
            return 0.0;
        }
        basis.clear();
        basis.extend(b.iter().map(|b| b / size));
        triangle.clear();
        rotations.clear();
        right.clear();
        right.push(size);
        while rotations.len() < iterations && right[rotations.len()].abs() > tolerance * size {
            let k = rotations.len();
            basis.resize((k + 2) * n, 0.0);
            let (before, next) = basis.split_at_mut((k + 1) * n);
            let last = &before[k * n..];
            apply(last, next);
            next.iter_mut().zip(last).for_each(|(next, last)| *next = last - *next);
            let column = triangle.len();
            for direction in before.chunks_exact(n) {
                let part = dot(direction, next);
                next.iter_mut().zip(direction).for_each(|(next, d)| *next -= part * d);
                triangle.push(part);
            }
            let rest = dot(next, next).sqrt();
            let column = &mut triangle[column..];
            for (i, &(c, s)) in rotations.iter().enumerate() {
                let (a, b) = (column[i], column[i + 1]);
                (column[i], column[i + 1]) = (c * a + s * b, c * b - s * a);
            }
            let length = column[k].hypot(rest);
            if !(length > 0.0 && length.is_finite()) {
                triangle.truncate(triangle.len() - (k + 1));
                break;
            }
            let (c, s) = (column[k] / length, rest / length);
            column[k] = length;
            rotations.push((c, s));
            let left = right[k];
            right[k] = c * left;
            right.push(-s * left);
            if rest <= f64::EPSILON * length {
                break;
            }
            next.iter_mut().for_each(|next| *next /= rest);
        }
        let count = rotations.len();
        let left = right[count].abs() / size;
        for k in (0..count).rev() {
            // Column k has k + 1 numbers.
            let start = k * (k + 1) / 2;
            let part = right[k] / triangle[start + k];
            (0..k).for_each(|i| right[i] -= part * triangle[start + i]);
            x.iter_mut().zip(&basis[k * n..]).for_each(|(x, d)| *x += part * d);
        }
        left
    }
}
