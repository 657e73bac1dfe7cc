//! Cholesky factors of the blocks of A, in single or double precision.

use kinegraph_convex::contact::Problem;
use kinegraph_convex::linear_algebra::{RealScalar, factor_small};

/// Factor of each clique's block, in the place of that block in the problem; the diagonal is inverted.
#[derive(Clone, Debug, Default)]
pub struct InertiaFactors<T> {
    values: Vec<T>,
    /// For each clique, true if its block is positive definite.
    definite: Vec<bool>,
    rhs: Vec<T>,
}

impl<T: RealScalar> InertiaFactors<T> {
    /// Factors all blocks.
    pub fn factor(&mut self, problem: &Problem) {
        self.values.clear();
        self.values.extend(problem.step_terms.dynamics.iter().map(|x| T::nearest(*x)));
        self.definite.clear();
        for clique in &problem.trees.cliques {
            let n = clique.size();
            self.definite.push(factor_small(&mut self.values[clique.block..clique.block + n * n], n));
        }
    }

    /// True if the block of a clique is positive definite.
    pub fn is_definite(&self, clique: usize) -> bool {
        self.definite[clique]
    }

    /// Factor of a clique, column major.
    pub fn of(&self, problem: &Problem, clique: usize) -> &[T] {
        let (n, block) = (problem.trees.cliques[clique].size(), problem.trees.cliques[clique].block);
        &self.values[block..block + n * n]
    }

    /// Computes `A^-1 x` on a clique, in place.
    pub fn solve(&mut self, problem: &Problem, clique: usize, x: &mut [f64]) {
        let mut rhs = std::mem::take(&mut self.rhs);
        rhs.clear();
        rhs.extend(x.iter().map(|x| T::nearest(*x)));
        let (factor, n) = (self.of(problem, clique), rhs.len());
        for j in 0..n {
            let y = rhs[j] * factor[j * n + j];
            rhs[j] = y;
            for i in j + 1..n {
                rhs[i] -= factor[j * n + i] * y;
            }
        }
        for j in (0..n).rev() {
            let mut sum = rhs[j];
            for i in j + 1..n {
                sum -= factor[j * n + i] * rhs[i];
            }
            rhs[j] = sum * factor[j * n + j];
        }
        x.iter_mut().zip(&rhs).for_each(|(x, y)| *x = y.value());
        self.rhs = rhs;
    }
}
