//! The gradient of one island at a velocity.

use super::pools::{Pools, Potential};
use crate::contact::{Island, Problem};

/// Values that vary with the velocity, reused from solve to solve.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Gradient of the cost, for all velocities.
    pub gradient: Vec<f64>,
    /// Search direction.
    pub direction: Vec<f64>,
    /// A times the search direction.
    pub product: Vec<f64>,
    /// Number of each clique within its island.
    pub local: Vec<usize>,
    /// First row of each clique of the island, by that number, in the order of the island.
    pub row: Vec<usize>,
}

impl Workspace {
    /// Makes room for `problem`.
    pub fn resize(&mut self, problem: &Problem) {
        let n = problem.size();
        for v in [&mut self.gradient, &mut self.direction, &mut self.product] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.local.resize(problem.trees.cliques.len(), 0);
    }

    /// Numbers the cliques of an island and their rows.
    pub fn enter(&mut self, problem: &Problem, island: &Island) {
        self.row.clear();
        let mut at = 0;
        for (number, &c) in island.cliques.iter().enumerate() {
            self.local[c] = number;
            self.row.push(at);
            at += problem.trees.cliques[c].size();
        }
    }
}

/// Computes the gradient on the island at `v`, with the impulses of the contact points in their pool.
pub fn gradient<C: Potential>(problem: &Problem, island: &Island, v: &[f64], pools: &Pools<C>, out: &mut [f64]) {
    gradient_of_rest(problem, island, v, pools, out);
    pools.contact.add_gradient(problem, island, v, out);
}

/// Computes the gradient without contact: of inertia and all other potentials.
#[inline(always)]
pub(in crate::solvers) fn gradient_of_rest<C: Potential>(
    problem: &Problem,
    island: &Island,
    v: &[f64],
    pools: &Pools<C>,
    out: &mut [f64],
) {
    for run in &island.runs {
        for (out, momentum) in out[run.clone()].iter_mut().zip(&problem.step_terms.momentum[run.clone()]) {
            *out = -momentum;
        }
    }
    problem.add_product(island, v, out);
    pools.rest().for_each(|pool| pool.add_gradient(problem, island, v, out));
}
