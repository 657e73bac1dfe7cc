//! External feedback in the problem: blocks of velocities with a gain matrix, and efforts that are clamped row by row.

/// Linear feedback on some velocities: the force `-P (v - v0)`.
#[derive(Clone, Debug, Default)]
pub struct FeedbackBlock {
    /// Velocities that P couples.
    pub velocities: Vec<usize>,
    /// P, column major \[N s/m, N m s/rad\]. May change with the step length.
    pub gain: Vec<f64>,
    /// True if P is not (known to be) symmetric positive semidefinite: then there is no cost, and the islands of the
    /// block are solved by Newton's method on the gradient.
    pub unsymmetric: bool,
    /// Efforts with a limit that react to more than their own velocity, besides P; only where `unsymmetric`.
    pub limited: Vec<LimitedRow>,
    /// Gains of each limited effort on all velocities of the block, one row after the other.
    pub limited_gain: Vec<f64>,
}

/// One effort of a block that is clamped: `clamp(effort - K_i (v - v0), -limit, limit)`.
#[derive(Clone, Copy, Debug)]
pub struct LimitedRow {
    /// Velocity that it acts on.
    pub velocity: usize,
    /// Effort at v = v0 \[N, N m\].
    pub effort: f64,
    /// Limit of the effort.
    pub limit: f64,
}

impl LimitedRow {
    /// Regime of a requested effort `y`: 0 within its limits, 1 at the upper, 2 at the lower.
    pub(crate) fn regime(&self, y: f64) -> u8 {
        u8::from(y > self.limit) | u8::from(y < -self.limit) << 1
    }
}

impl FeedbackBlock {
    /// Limited rows with their gains.
    pub fn limited_rows(&self) -> impl Iterator<Item = (&LimitedRow, &[f64])> {
        self.limited.iter().zip(self.limited_gain.chunks_exact(self.velocities.len().max(1)))
    }

    /// Limited efforts at the velocities `v`, each with the velocity it acts on.
    pub fn limited_efforts(&self, v: &[f64], v0: &[f64]) -> impl Iterator<Item = (usize, f64)> {
        self.limited_rows()
            .map(move |(row, gain)| (row.velocity, self.asked(row, gain, v, v0).clamp(-row.limit, row.limit)))
    }

    /// `K_i x` of a limited row.
    pub fn row_times(&self, gain: &[f64], x: &[f64]) -> f64 {
        gain.iter().zip(&self.velocities).map(|(k, &j)| k * x[j]).sum()
    }

    /// Effort that a limited row requests at the velocities `v`.
    pub fn asked(&self, row: &LimitedRow, gain: &[f64], v: &[f64], v0: &[f64]) -> f64 {
        row.effort - gain.iter().zip(&self.velocities).map(|(k, &j)| k * (v[j] - v0[j])).sum::<f64>()
    }

    /// `y += dt P x`.
    pub(crate) fn add_product(&self, dt: f64, x: &[f64], y: &mut [f64]) {
        let n = self.velocities.len();
        for (column, &j) in self.gain.chunks_exact(n).zip(&self.velocities) {
            let xj = dt * x[j];
            for (&a, &i) in column.iter().zip(&self.velocities) {
                y[i] += a * xj;
            }
        }
    }

    /// Clears rows and columns of locked velocities: the rest of a positive semidefinite P stays so.
    pub(crate) fn clear_locked(&mut self, locked: &[bool]) {
        let n = self.velocities.len();
        for j in 0..n {
            for i in 0..n {
                if locked[self.velocities[i]] || locked[self.velocities[j]] {
                    self.gain[j * n + i] = 0.0;
                }
            }
        }
        for (row, gain) in self.limited.iter_mut().zip(self.limited_gain.chunks_exact_mut(n)) {
            let alone = locked[row.velocity];
            if alone {
                row.effort = 0.0;
            }
            for (k, _) in gain.iter_mut().zip(&self.velocities).filter(|(_, j)| alone || locked[**j]) {
                *k = 0.0;
            }
        }
    }
}
