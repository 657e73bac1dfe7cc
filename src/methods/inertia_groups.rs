//! Inertia of an island with feedback, factored for every group of cliques that feedback couples.

use kinegraph_convex::contact::{Island, Problem};
use kinegraph_convex::linear_algebra::{DisjointSets, Lu};

/// Cliques that feedback couples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// Its velocities, in increasing order.
    pub velocities: Vec<usize>,
    /// A, column by column.
    pub inertia: Vec<f64>,
    lu: Lu,
}

/// Tolerance of the symmetry of A, relative to its diagonal.
const SYMMETRIC: f64 = 1e-9; // rounding

impl Group {
    /// True if A is symmetric; feedback may make it unsymmetric.
    pub fn is_symmetric(&self) -> bool {
        let (a, n) = (&self.inertia, self.velocities.len());
        (0..n).all(|j| {
            (0..j).all(|i| {
                let scale = (a[i * (n + 1)] * a[j * (n + 1)]).abs().sqrt();
                (a[i * n + j] - a[j * n + i]).abs() <= SYMMETRIC * scale
            })
        })
    }
}

/// The groups of one island; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    sets: DisjointSets,
    pool: Vec<Group>,
    count: usize,
    /// Group of each clique of the problem.
    of_clique: Vec<usize>,
    /// Index of each velocity within its group.
    place: Vec<usize>,
}

impl Groups {
    /// Finds the groups of an island.
    pub fn enter(&mut self, problem: &Problem, island: &Island) {
        self.sets.reset(problem.trees.cliques.len());
        for &f in &island.feedback {
            for pair in problem.feedback[f].velocities.windows(2) {
                self.sets.join(problem.clique_of(pair[0]), problem.clique_of(pair[1]));
            }
        }
        self.of_clique.resize(problem.trees.cliques.len(), 0);
        self.place.resize(problem.size(), 0);
        self.count = 0;
        for &c in &island.cliques {
            let root = self.sets.root(c);
            if root == c {
                if self.pool.len() == self.count {
                    self.pool.push(Group::default());
                }
                self.pool[self.count].velocities.clear();
                self.of_clique[c] = self.count;
                self.count += 1;
            }
            self.of_clique[c] = self.of_clique[root];
            let velocities = &mut self.pool[self.of_clique[c]].velocities;
            for v in problem.velocities_of(c) {
                self.place[v] = velocities.len();
                velocities.push(v);
            }
        }
    }

    /// Factors A. `acting` is true for each limited effort of the island's feedback that is within its limits, in the
    /// order of the problem.
    pub fn factor(&mut self, problem: &Problem, island: &Island, acting: &[bool]) {
        for group in &mut self.pool[..self.count] {
            let n = group.velocities.len();
            let a = group.lu.start(n);
            let mut done = 0;
            while done < n {
                let clique = &problem.trees.cliques[problem.clique_of(group.velocities[done])];
                let (size, start) = (clique.size(), clique.block);
                for (j, column) in
                    problem.step_terms.dynamics[start..start + size * size].chunks_exact(size).enumerate()
                {
                    a[(done + j) * n + done..][..size].copy_from_slice(column);
                }
                done += size;
            }
        }
        let mut number = 0;
        for block in island.feedback.iter().map(|&f| &problem.feedback[f]) {
            let Some(&first) = block.velocities.first() else { continue };
            let group = &mut self.pool[self.of_clique[problem.clique_of(first)]];
            let n = group.velocities.len();
            let a = group.lu.values_mut();
            for (column, &vj) in block.gain.chunks_exact(block.velocities.len()).zip(&block.velocities) {
                for (&k, &vi) in column.iter().zip(&block.velocities) {
                    a[self.place[vj] * n + self.place[vi]] += problem.step_terms.dt * k;
                }
            }
            for (row, gain) in block.limited_rows() {
                if acting[number] {
                    for (&k, &vj) in gain.iter().zip(&block.velocities) {
                        a[self.place[vj] * n + self.place[row.velocity]] += problem.step_terms.dt * k;
                    }
                }
                number += 1;
            }
        }
        for group in &mut self.pool[..self.count] {
            group.inertia.clear();
            group.inertia.extend_from_slice(group.lu.values_mut());
            group.lu.factor();
        }
    }

    /// Groups of these velocities, without inertia.
    pub fn list(&mut self, lists: &[Vec<usize>]) {
        self.count = lists.len();
        self.pool.resize_with(self.count.max(self.pool.len()), Group::default);
        for (group, list) in self.pool.iter_mut().zip(lists) {
            group.velocities.clone_from(list);
            group.inertia.clear();
        }
    }

    /// The groups.
    pub fn all(&self) -> &[Group] {
        &self.pool[..self.count]
    }

    /// Group of a velocity, and its index there.
    pub fn place_of(&self, problem: &Problem, velocity: usize) -> (usize, usize) {
        (self.of_clique[problem.clique_of(velocity)], self.place[velocity])
    }

    /// Computes `A^-1 x` on one group, in place.
    pub fn solve(&mut self, group: usize, x: &mut [f64]) {
        self.pool[group].lu.solve(x);
    }
}
