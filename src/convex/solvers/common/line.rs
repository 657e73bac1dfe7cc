//! The cost along a direction.

use super::assemble::Workspace;
use super::pools::{AlongLine, Pools, Potential};
use crate::contact::{Island, Problem};

/// The quadratic part of the cost along the line: slope `linear + alpha * curvature`.
pub struct Line<'a, C> {
    problem: &'a Problem,
    island: &'a Island,
    v: &'a [f64],
    pools: &'a Pools<C>,
    work: &'a Workspace,
    linear: f64,
    curvature: f64,
    /// Slope at its start and curvature of `1/2 v'A v - r'v`.
    inertia: (f64, f64),
}

impl<'a, C: Potential> Line<'a, C> {
    /// The line from `v` along `work.direction`, with momenta `momentum` for velocities that no potential acts on. The
    /// contact points must have the line already. Leaves A times the direction in `work.product`.
    pub fn new(
        problem: &'a Problem,
        island: &'a Island,
        v: &'a [f64],
        momentum: &[f64],
        pools: &'a Pools<C>,
        work: &'a mut Workspace,
    ) -> Self {
        let mut product = std::mem::take(&mut work.product);
        for &c in &island.cliques {
            product[problem.trees.cliques[c].velocities.clone()].fill(0.0);
        }
        problem.add_product(island, &work.direction, &mut product);
        let (mut linear, mut curvature) = (0.0, 0.0);
        for pool in pools.rest() {
            let own = pool.quadratic_along(problem, island, v, &work.direction);
            (linear, curvature) = (linear + own.0, curvature + own.1);
        }
        let rest = (linear, curvature);
        for &c in &island.cliques {
            for i in problem.trees.cliques[c].velocities.clone() {
                let w = work.direction[i];
                curvature += w * product[i];
                linear += v[i] * product[i] - w * momentum[i];
            }
        }
        let inertia = (linear - rest.0, curvature - rest.1);
        // Where A is not symmetric, the slope has w'A v, not v'A w.
        for &f in &island.feedback {
            let block = &problem.feedback[f];
            if block.unsymmetric {
                for (column, &j) in block.gain.chunks_exact(block.velocities.len()).zip(&block.velocities) {
                    for (&k, &i) in column.iter().zip(&block.velocities) {
                        linear += problem.step_terms.dt * k * (work.direction[i] * v[j] - v[i] * work.direction[j]);
                    }
                }
            }
        }
        work.product = product;
        Line { problem, island, v, pools, work, linear, curvature, inertia }
    }

    /// Slope at the start and curvature of `1/2 v'A v - r'v`, for a symmetric A.
    pub fn inertia(&self) -> (f64, f64) {
        self.inertia
    }

    /// The direction.
    pub fn direction(&self) -> &[f64] {
        &self.work.direction
    }

    /// Slope at the start, from the gradient there.
    pub fn initial_slope(&self) -> f64 {
        let velocities = self.island.cliques.iter().flat_map(|&c| self.problem.trees.cliques[c].velocities.clone());
        velocities.map(|i| self.work.gradient[i] * self.work.direction[i]).sum()
    }

    /// First and second derivative of the cost at `alpha`.
    pub fn derivatives(&self, alpha: f64) -> (f64, f64) {
        let (mut slope, mut curvature) = (self.linear + alpha * self.curvature, self.curvature);
        let mut sum = AlongLine { slope, curvature };
        for pool in self.pools.all() {
            pool.add_along(self.problem, self.island, self.v, &self.work.direction, alpha, &mut sum);
        }
        AlongLine { slope, curvature } = sum;
        for &f in &self.island.feedback {
            let block = &self.problem.feedback[f];
            for (row, gain) in block.limited_rows() {
                let (w, rate) = (self.work.direction[row.velocity], block.row_times(gain, &self.work.direction));
                let asked = block.asked(row, gain, self.v, &self.problem.trees.v0) - alpha * rate;
                slope -= self.problem.step_terms.dt * asked.clamp(-row.limit, row.limit) * w;
                if row.regime(asked) == 0 {
                    curvature += self.problem.step_terms.dt * rate * w;
                }
            }
        }
        (slope, curvature)
    }
}
