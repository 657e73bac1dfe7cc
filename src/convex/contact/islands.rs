//! Islands: connected components of cliques under contacts, constraints and feedback. Each is a convex problem of its
//! own.

use crate::linear_algebra::DisjointSets;
use std::ops::Range;

/// One connected component.
#[derive(Clone, Debug, Default)]
pub struct Island {
    /// Index among the islands of the problem.
    pub index: usize,
    /// Its cliques, in increasing order.
    pub cliques: Vec<usize>,
    /// Its contact patches.
    pub patches: Vec<usize>,
    /// Its feedback blocks.
    pub feedback: Vec<usize>,
    /// Its groups of bilateral rows.
    pub rows: Vec<usize>,
    /// Number of velocities.
    pub size: usize,
    /// Runs of consecutive velocities of the island.
    pub runs: Vec<Range<usize>>,
}

impl Island {
    fn clear(&mut self) {
        self.cliques.clear();
        self.patches.clear();
        self.feedback.clear();
        self.rows.clear();
        self.size = 0;
        self.runs.clear();
    }
}

/// The islands of a problem, rebuilt in place when its contacts change.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    sets: DisjointSets,
    /// Island of each clique.
    pub of_clique: Vec<usize>,
    pool: Vec<Island>,
    count: usize,
}

impl Islands {
    /// Resets to every clique alone.
    pub fn reset(&mut self, num_cliques: usize) {
        self.sets.reset(num_cliques);
        self.count = 0;
    }

    /// Joins the islands of two cliques.
    pub fn join(&mut self, a: usize, b: usize) {
        self.sets.join(a, b);
    }

    /// Numbers the islands by their smallest clique and collects their cliques; `velocities` gives the range of each.
    pub fn collect(&mut self, velocities: impl Fn(usize) -> Range<usize>) {
        let n = self.sets.len();
        self.of_clique.clear();
        self.of_clique.resize(n, usize::MAX);
        for c in 0..n {
            let root = self.sets.root(c);
            if root == c {
                if self.pool.len() == self.count {
                    self.pool.push(Island::default());
                }
                self.pool[self.count].clear();
                self.pool[self.count].index = self.count;
                self.of_clique[c] = self.count;
                self.count += 1;
            }
            let island = self.of_clique[root];
            self.of_clique[c] = island;
            let (island, own) = (&mut self.pool[island], velocities(c));
            island.cliques.push(c);
            island.size += own.len();
            match island.runs.last_mut() {
                Some(run) if run.end == own.start => run.end = own.end,
                _ => island.runs.push(own),
            }
        }
    }

    /// The islands.
    pub fn all(&self) -> &[Island] {
        &self.pool[..self.count]
    }

    /// Returns one island, to be filled.
    pub fn island_mut(&mut self, island: usize) -> &mut Island {
        debug_assert!(island < self.count);
        &mut self.pool[island]
    }
}
