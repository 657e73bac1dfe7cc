//! Rate of the fastest growth: the largest real part of a pole of the linearization.
//!
//! An implicit step damps growth, where it is long: the implicit Euler method takes `x' = λ x` to `x / (1 - λ h)`,
//! which is smaller than x once `λ h > 2`. Full and half steps agree about that, so that no estimate of error shows it.
//! A step that follows growth has `Re(λ) h <= 1/2`; a pole of a stable system does not bound it.
//!
//! Poles are found block by block, and only where something could grow fast enough to matter. Cheap tests exclude that:
//! the rows or columns of a block (Gershgorin's circles); the energy of plants under feedback
//! ([`LoopRate::dissipates`]); powers of the Cayley transform. With `A = J - η`, the eigenvalues of
//!
//! ```text
//! C = (I + s A) (I - s A)^-1
//! ```
//!
//! are within the unit circle exactly where those of J are below η, and `|C^m| < 1` shows that they are. The result for
//! a matrix is used as long as it does not change: a linear system is analyzed once.

use super::jacobian::Linearization;
use super::loop_rate::{LoopRate, is_sparse};
use crate::choices::gate::MIN_EIGENVALUE;
use crate::choices::growth::{LARGEST_DECOMPOSED, SQUARINGS};
use kinegraph_convex::contact::Problem;
use kinegraph_convex::linear_algebra::{Eigenvalues, Lu};
use kinegraph_core::wide;

/// Largest `Re(λ) h` of a step: then `1 - λ h`, the matrix of an implicit step, is not below the limit of the gate.
const MAX_GROWTH: f64 = 1.0 - MIN_EIGENVALUE;

/// Longest step \[s\] that follows growth at `rate` \[1/s\], if that is shorter than `h`; a rate that is not finite
/// counts as unknown.
pub fn longest_step(rate: f64, h: f64) -> f64 {
    if rate > least_rate(h) && rate.is_finite() { MAX_GROWTH / rate } else { f64::INFINITY }
}

/// Rate of growth \[1/s\] from which it bounds a step of length `h` \[s\].
pub fn least_rate(h: f64) -> f64 {
    MAX_GROWTH / h
}

/// Search for the fastest growth of blocks, with the results for each.
#[derive(Clone, Debug, Default)]
pub struct BlockGrowth {
    eigenvalues: Eigenvalues,
    lu: Lu,
    power: Vec<f64>,
    square: Vec<f64>,
    sums: Vec<f64>,
    /// Last results for each block.
    pub known: Vec<Known>,
}

/// Result for a matrix.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The matrix, column major.
    pub matrix: Vec<f64>,
    /// Rate of its growth, or a bound of it \[1/s\].
    pub rate: f64,
    /// True if `rate` is a bound.
    pub is_bound: bool,
}

impl BlockGrowth {
    /// Rate of growth of block number `block`, a `matrix` of `n` rows, column major \[1/s\]. A rate of no more than
    /// `enough` may be a bound.
    pub fn of(&mut self, block: usize, n: usize, matrix: &[f64], enough: f64) -> f64 {
        let bound = circles(n, matrix);
        if bound <= enough || n > LARGEST_DECOMPOSED {
            return bound.min(enough);
        }
        if self.known.len() <= block {
            self.known.resize_with(block + 1, Default::default);
        }
        let known = &self.known[block];
        if known.matrix == matrix && (!known.is_bound || known.rate <= enough) {
            return if known.is_bound { enough } else { known.rate };
        }
        let is_bound = n > 2 && self.is_below(n, matrix, enough);
        let rate = if is_bound { enough } else { self.eigenvalues.abscissa(n, matrix) };
        let known = &mut self.known[block];
        known.matrix.clear();
        known.matrix.extend_from_slice(matrix);
        (known.rate, known.is_bound) = (rate, is_bound);
        rate
    }

    /// Rate of growth of a sparse matrix by its columns, which is too large to be decomposed.
    pub fn of_sparse<I: Iterator<Item = (usize, f64)>>(
        &mut self,
        columns: impl ExactSizeIterator<Item = I>,
        enough: f64,
    ) -> f64 {
        self.sums.clear();
        self.sums.resize(columns.len(), 0.0);
        let mut by_columns = f64::NEG_INFINITY;
        for (j, column) in columns.enumerate() {
            let mut sum = 0.0;
            for (i, x) in column {
                let right = if i == j { x } else { x.abs() };
                sum += right;
                self.sums[i] += right;
            }
            by_columns = by_columns.max(sum);
        }
        let by_rows = self.sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        by_columns.min(by_rows).min(enough)
    }

    /// True if powers of the Cayley transform show that all eigenvalues are below `rate`.
    pub fn is_below(&mut self, n: usize, matrix: &[f64], rate: f64) -> bool {
        let largest = self.norm(n, matrix) + rate.abs();
        // About the middle, in decades, between the fastest eigenvalue and the slowest distance from `rate`.
        let s = 1.0 / (largest * rate.abs()).sqrt();
        if !s.is_finite() {
            return false;
        }
        let shifted = self.lu.start(n);
        shifted.iter_mut().zip(matrix).for_each(|(to, x)| *to = -s * x);
        (0..n).for_each(|i| shifted[i * n + i] += 1.0 + s * rate);
        self.lu.factor();
        // C = 2 (I - s A)^-1 - I
        let mut power = std::mem::take(&mut self.power);
        power.clear();
        power.resize(n * n, 0.0);
        (0..n).for_each(|i| power[i * n + i] = 2.0);
        self.lu.solve(&mut power);
        (0..n).for_each(|i| power[i * n + i] -= 1.0);
        let mut is_below = false;
        for _ in 0..SQUARINGS {
            let norm = self.norm(n, &power);
            is_below = norm < 1.0;
            // Not-a-number counts as too large.
            // rounding
            if is_below || norm.is_nan() || norm > 1e100 {
                break;
            }
            square(n, &power, &mut self.square);
            std::mem::swap(&mut power, &mut self.square);
        }
        self.power = power;
        is_below
    }

    /// Largest row sum.
    fn norm(&mut self, n: usize, matrix: &[f64]) -> f64 {
        self.sums.clear();
        self.sums.resize(n, 0.0);
        for column in matrix.chunks_exact(n) {
            self.sums.iter_mut().zip(column).for_each(|(sum, x)| *sum += x.abs());
        }
        let largest = |a: f64, b: f64| if b <= a { a } else { b };
        self.sums.iter().copied().fold(0.0, largest)
    }
}

/// Product of a matrix with itself, by the instructions of the machine. That of a library packs its factors into memory
/// of its own in every step, and its rounding depends on the machine.
#[inline(never)]
fn square(n: usize, matrix: &[f64], product: &mut Vec<f64>) {
    product.clear();
    product.resize(n * n, 0.0);
    wide(
        #[inline(always)]
        || {
            for (out, column) in product.chunks_exact_mut(n).zip(matrix.chunks_exact(n)) {
                for (&x, factor) in column.iter().zip(matrix.chunks_exact(n)) {
                    out.iter_mut().zip(factor).for_each(|(out, a)| *out += a * x);
                }
            }
        },
    );
}

/// Bound on the real parts of the eigenvalues, by Gershgorin's circles of the rows and of the columns.
pub fn circles(n: usize, matrix: &[f64]) -> f64 {
    let (mut rows, mut columns) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for i in 0..n {
        let row = (0..n).map(|j| matrix[j * n + i]);
        let column = matrix[i * n..(i + 1) * n].iter().copied();
        let right = |entries: &mut dyn Iterator<Item = f64>| -> f64 {
            entries.enumerate().map(|(j, x)| if j == i { x } else { x.abs() }).sum()
        };
        rows = rows.max(right(&mut { row }));
        columns = columns.max(right(&mut { column }));
    }
    rows.min(columns)
}

/// The fastest growth of free plants with their feedback and of external states.
#[derive(Clone, Debug, Default)]
pub struct GrowthRate {
    loops: LoopRate,
    blocks: BlockGrowth,
}

impl GrowthRate {
    /// Rate \[1/s\] of the fastest growth. A rate of no more than `enough` may be a bound. As with the gate, it holds
    /// for free motion: contact may hold a plant that feedback drives.
    pub fn of(&mut self, problem: &Problem, linear: &Linearization, enough: f64) -> f64 {
        self.among(problem, linear, enough, |_| true)
    }

    /// Rate of the fastest growth in parts that move no plant. Where feedback drives a plant too fast for the step, the
    /// gate replaces it by the force of the start.
    pub fn of_blocks(&mut self, problem: &Problem, linear: &Linearization, enough: f64) -> f64 {
        self.among(problem, linear, enough, |moves_plant| !moves_plant)
    }

    /// Rate of the fastest growth among the parts for which `counts` is true, given whether they move a plant.
    fn among(&mut self, problem: &Problem, linear: &Linearization, enough: f64, counts: impl Fn(bool) -> bool) -> f64 {
        let GrowthRate { loops, blocks } = self;
        let mut fastest = f64::NEG_INFINITY;
        let mut block = 0;
        loops.for_each_part(problem, linear, |loops, part| {
            let reacts = |i: usize| match i.checked_sub(problem.start_velocity().len()) {
                None => linear.groups.of_velocity(i).is_some(),
                Some(z) => linear.groups.of_external(z).is_some(),
            };
            let moves_plant = part.iter().any(|&(_, i)| i < problem.start_velocity().len());
            if !counts(moves_plant) || !part.iter().any(|&(_, i)| reacts(i)) || loops.touches(part, problem) {
                return;
            }
            if is_sparse(part, problem, linear) {
                // As with any block that is too large to be decomposed.
                fastest = fastest.max(loops.circles_of_states(part, problem, linear).min(enough));
                return;
            }
            if loops.dissipates(part, problem, linear, enough) {
                fastest = fastest.max(enough);
                return;
            }
            if let Some((size, matrix)) = loops.matrix_of(part, problem, linear) {
                fastest = fastest.max(blocks.of(block, size, matrix, enough));
                block += 1;
            }
        });
        fastest
    }
}
