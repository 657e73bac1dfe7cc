//! Test whether a step is short enough for feedback that destabilizes.
//!
//! With `K = -(dt T_q + T_v)` the matrix of a linearly implicit step, `M + dt K = dt^2 (M s^2 - T_v s - T_q)` at s =
//! 1/dt, is singular exactly where the linearized loop has a real pole at 1/dt. A stable loop never has one, however
//! indefinite `M + dt K` is. A pole that comes near shows as a real eigenvalue of `I + dt M^-1 K` below 1/2: the step
//! is then too long for the growth.
//!
//! This holds for free motion. Where bodies touch, contact may hold a plant that feedback drives (a cup that sucks
//! itself to its load, the harder the nearer it is), and the loop alone decides nothing: such steps are allowed.

use crate::choices::gate::{LARGEST_DECOMPOSED, MIN_EIGENVALUE};
use kinegraph_convex::contact::{FeedbackBlock, Problem};
use kinegraph_convex::linear_algebra::{Cholesky, Eigenvalues, Lu};

/// Workspace of the test.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    /// Velocities of all cliques that the block touches.
    velocities: Vec<usize>,
    cliques: Vec<usize>,
    positive: Cholesky,
    mass: Cholesky,
    matrix: Vec<f64>,
    lu: Lu,
    eigenvalues: Eigenvalues,
}

impl Gate {
    /// True if a step of length `dt` may be taken with the gain `k` (column major) on the velocities of `block`.
    pub fn allows(&mut self, problem: &Problem, block: &FeedbackBlock, k: &[f64], dt: f64) -> bool {
        self.cliques.clear();
        self.cliques.extend(block.velocities.iter().map(|&v| problem.clique_of(v)));
        self.cliques.sort_unstable();
        self.cliques.dedup();
        if problem.touches(&self.cliques) {
            return true;
        }
        self.velocities.clear();
        self.velocities.extend(self.cliques.iter().flat_map(|&c| problem.velocities_of(c)));
        let n = self.velocities.len();
        // K on all of them.
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        let m = block.velocities.len();
        for (j, column) in k.chunks_exact(m).enumerate() {
            let j = self.at(block.velocities[j]);
            for (i, k) in column.iter().enumerate() {
                let i = self.at(block.velocities[i]);
                self.matrix[j * n + i] = *k;
            }
        }
        // The loop is that of the plant too: its own damping D and springs add D + dt K_s to K.
        for (i, &velocity) in self.velocities.iter().enumerate() {
            self.matrix[i * n + i] += problem.own_gain(velocity, dt);
        }
        // M/2 + dt K_sym > 0 leaves no real eigenvalue below 1/2.
        let mass = |velocities: &[usize], i: usize, j: usize| problem.mass_entry(velocities[i], velocities[j]);
        let test = self.positive.start(n);
        for j in 0..n {
            for i in 0..n {
                let symmetric = 0.5 * (self.matrix[j * n + i] + self.matrix[i * n + j]);
                test[j * n + i] = (1.0 - MIN_EIGENVALUE) * mass(&self.velocities, i, j) + dt * symmetric;
            }
        }
        if self.positive.factor() {
            return true;
        }
        if n > LARGEST_DECOMPOSED {
            let matrix = self.lu.start(n);
            for j in 0..n {
                for i in 0..n {
                    matrix[j * n + i] =
                        (1.0 - MIN_EIGENVALUE) * mass(&self.velocities, i, j) + dt * self.matrix[j * n + i];
                }
            }
            self.lu.factor();
            return self.lu.determinant_sign() > 0.0;
        }
        let factor = self.mass.start(n);
        for j in 0..n {
            for i in 0..n {
                factor[j * n + i] = mass(&self.velocities, i, j);
            }
        }
        if !self.mass.factor() {
            return false;
        }
        for (j, column) in self.matrix.chunks_exact_mut(n).enumerate() {
            self.mass.solve(column);
            column.iter_mut().for_each(|x| *x *= dt);
            column[j] += 1.0;
        }
        self.eigenvalues_allow(n)
    }

    fn at(&self, velocity: usize) -> usize {
        self.velocities.binary_search(&velocity).unwrap_or(0)
    }

    /// True if no real eigenvalue of `matrix` is below the smallest allowed one.
    fn eigenvalues_allow(&mut self, n: usize) -> bool {
        let Some((real, imaginary)) = self.eigenvalues.of(n, &self.matrix) else { return false };
        let bad = |(re, im): (&f64, &f64)| *re < MIN_EIGENVALUE && im.abs() <= 1e-6 * re.hypot(*im) + 1e-12; // rounding
        !real.iter().zip(imaginary).any(bad)
    }
}
