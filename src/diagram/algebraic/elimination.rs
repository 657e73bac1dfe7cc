//! Gaussian elimination in place: small dense systems, solved again and again without allocation.

/// A factored square matrix.
#[derive(Clone, Debug, Default)]
pub struct Elimination {
    /// Column major; after [`factor`](Self::factor) the factors L and U.
    pub matrix: Vec<f64>,
    size: usize,
    swaps: Vec<usize>,
}

/// A pivot smaller than this part of its column counts as zero.
const SINGULAR: f64 = 1e-14;

impl Elimination {
    /// A zero matrix of the given size.
    pub fn reset(&mut self, size: usize) {
        self.size = size;
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
    }

    /// Factors with row pivoting; `false` if the matrix is singular to rounding, or not finite.
    pub fn factor(&mut self) -> bool {
        let n = self.size;
        self.swaps.clear();
        for k in 0..n {
            let column = &self.matrix[k * n..(k + 1) * n];
            let scale = column.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            let pivot = (k..n).max_by(|&a, &b| column[a].abs().total_cmp(&column[b].abs())).unwrap_or(k);
            let size = column[pivot].abs();
            if size.is_nan() || size <= SINGULAR * scale.max(1.0) {
                return false;
            }
            self.swaps.push(pivot);
            for j in 0..n {
                self.matrix.swap(j * n + k, j * n + pivot);
            }
            for i in k + 1..n {
                self.matrix[k * n + i] /= self.matrix[k * n + k];
            }
            for j in k + 1..n {
                let factor = self.matrix[j * n + k];
                for i in k + 1..n {
                    self.matrix[j * n + i] -= self.matrix[k * n + i] * factor;
                }
            }
        }
        true
    }

    /// Solves in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.size;
        for (k, &pivot) in self.swaps.iter().enumerate() {
            x.swap(k, pivot);
        }
        for k in 0..n {
            for i in k + 1..n {
                x[i] -= self.matrix[k * n + i] * x[k];
            }
        }
        for k in (0..n).rev() {
            x[k] /= self.matrix[k * n + k];
            for i in 0..k {
                x[i] -= self.matrix[k * n + i] * x[k];
            }
        }
    }
}
