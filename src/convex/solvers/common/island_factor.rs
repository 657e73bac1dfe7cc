//! Factor of an island's Hessian, by blocks of cliques. A fully coupled island, or a robot alone, is one dense block.

use super::assemble::Workspace;
use super::hessian;
use super::pools::{Pools, Potential};
use crate::contact::Island;
use crate::contact::Problem;
use crate::linear_algebra::{BlockCholesky, Patterns, RealScalar};

/// Memory of factorizations, from island to island.
#[derive(Clone, Debug, Default)]
pub struct IslandFactor<T: RealScalar = f64> {
    factor: BlockCholesky<T>,
    /// Patterns that were analyzed.
    pub patterns: Patterns,
    /// Pattern of the island that was entered.
    pattern: usize,
    sizes: Vec<u32>,
    edges: Vec<(u32, u32)>,
    local: Vec<T>,
}

impl<T: RealScalar> IslandFactor<T> {
    /// Finds the pattern of an island, whose cliques are numbered in `work`.
    pub fn enter<C: Potential>(&mut self, problem: &Problem, island: &Island, pools: &Pools<C>, work: &Workspace) {
        self.sizes.clear();
        self.sizes.extend(island.cliques.iter().map(|&c| problem.trees.cliques[c].size() as u32));
        let (edges, local) = (&mut self.edges, &work.local);
        edges.clear();
        let mut couple = |a: usize, b: usize| {
            let (a, b) = (local[a] as u32, local[b] as u32);
            if a != b {
                edges.push((a.min(b), a.max(b)));
            }
        };
        pools.all().for_each(|pool| pool.couple(problem, island, &mut couple));
        for &f in &island.feedback {
            let velocities = &problem.feedback[f].velocities;
            for (i, &a) in velocities.iter().enumerate() {
                let a = problem.clique_of(a);
                velocities[..i].iter().for_each(|&b| couple(a, problem.clique_of(b)));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        self.pattern = self.patterns.find(&self.sizes, edges);
    }

    /// Assembles the Hessian of the island that was entered, at `v`, with the Hessians of the contact points in their
    /// pool.
    #[inline(always)]
    pub fn assemble<C: Potential>(
        &mut self,
        problem: &Problem,
        island: &Island,
        v: &[f64],
        pools: &Pools<C>,
        work: &mut Workspace,
    ) {
        let pattern = self.patterns.get(self.pattern);
        self.factor.fill(
            &pattern,
            #[inline(always)]
            |h| hessian::hessian(problem, island, v, pools, work, Some(pattern), h),
        );
    }

    /// Factors the Hessian. `false` if it is not positive definite or not finite.
    pub fn factor(&mut self) -> bool {
        self.factor.factor(&self.patterns.get(self.pattern))
    }

    /// Computes the Newton direction of the island that was entered: minus the inverse of the Hessian last factored,
    /// times the gradient.
    pub fn newton_direction(&mut self, problem: &Problem, island: &Island, work: &mut Workspace) {
        let local = &mut self.local;
        local.clear();
        for &c in &island.cliques {
            local.extend(work.gradient[problem.trees.cliques[c].velocities.clone()].iter().map(|g| T::nearest(-g)));
        }
        self.factor.solve(&self.patterns.get(self.pattern), local);
        let mut rest = &local[..];
        for &c in &island.cliques {
            let (own, next) = rest.split_at(problem.trees.cliques[c].size());
            let direction = &mut work.direction[problem.trees.cliques[c].velocities.clone()];
            direction.iter_mut().zip(own).for_each(|(to, x)| *to = x.value());
            rest = next;
        }
    }
}
