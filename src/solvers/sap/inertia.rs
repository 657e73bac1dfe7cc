//! Cholesky factors of the blocks of A, in single or double precision.

use crate::contact::Problem;
use crate::linear_algebra::{RealScalar, factor_small};

/// The factor of each clique's block, where the problem has the block; the diagonal is inverted.
#[derive(Clone, Debug, Default)]
pub(super) struct InertiaFactors<T> {
    values: Vec<T>,
    /// Whether each clique's block is positive definite.
    definite: Vec<bool>,
    rhs: Vec<T>,
}

impl<T: RealScalar> InertiaFactors<T> {
    /// Factors all blocks.
    pub fn factor(&mut self, problem: &Problem) {
        self.values.clear();
        self.values.extend(problem.dynamics.iter().map(|x| T::nearest(*x)));
        self.definite.clear();
        for clique in &problem.cliques {
            let n = clique.size();
            self.definite.push(factor_small(&mut self.values[clique.block..clique.block + n * n], n));
        }
    }

    /// Whether the block of a clique is positive definite.
    pub fn is_definite(&self, clique: usize) -> bool {
        self.definite[clique]
    }

    /// The factor of a clique, column major.
    pub fn of(&self, problem: &Problem, clique: usize) -> &[T] {
        let (n, block) = (problem.cliques[clique].size(), problem.cliques[clique].block);
        &self.values[block..block + n * n]
    }

    /// `A^-1 x` on a clique, in place.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_solved_to_the_digits_of_its_numbers() {
        let mut problem = Problem::default();
        problem.add_clique(&[4.0, 1.0, 1.0, 3.0], &[0.0; 2], &[0.0; 2], &[0.0; 2]);
        problem.finish();
        problem.set_step(0.01);
        let expected = [1.0 / 11.0, 7.0 / 11.0];
        let mut double = InertiaFactors::<f64>::default();
        let mut single = InertiaFactors::<f32>::default();
        double.factor(&problem);
        single.factor(&problem);
        let (mut x, mut y) = ([1.0, 2.0], [1.0, 2.0]);
        double.solve(&problem, 0, &mut x);
        single.solve(&problem, 0, &mut y);
        for i in 0..2 {
            assert!((x[i] - expected[i]).abs() < 1e-15);
            let off = (y[i] - expected[i]).abs();
            assert!(off < 1e-6 && y[i] == f64::from(y[i] as f32), "{off:e}");
        }
    }
}
