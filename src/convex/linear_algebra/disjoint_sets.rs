//! Connected sets, joined pair by pair, in memory that is reused (that of `petgraph` is allocated for each use).

/// Disjoint sets of the numbers `0..n`. The smallest number of a set is its root, so that the order of joining does not
/// show.
#[derive(Clone, Debug, Default)]
pub struct DisjointSets {
    parent: Vec<usize>,
}

impl DisjointSets {
    /// Starts over with `n` numbers, each alone.
    pub fn reset(&mut self, n: usize) {
        self.parent.clear();
        self.parent.extend(0..n);
    }

    /// Number of numbers.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// Root of the set of `i`.
    pub fn root(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    /// Joins the sets of `a` and `b`.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
