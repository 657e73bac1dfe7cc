//! Linear balances of nodes between which things flow, solved without a difference of like numbers.

/// The matrix of balances: what leaves each node, by the values of the nodes.
///
/// Its columns sum to the conductances to ground, and all that is off its diagonal is negative. Eliminating one node
/// after the other adds positive numbers only \[Grassmann, Taksar, Heyman 1985\]: blocked diodes keep their digits
/// beside wires of a milliohm.
pub(super) struct Balance {
    size: usize,
    /// Row i, column j: what the value of node j sends to node i.
    to: Vec<f64>,
    /// Conductance from each node to ground.
    to_ground: Vec<f64>,
    /// Pivots, once eliminated.
    pivots: Vec<f64>,
}

impl Balance {
    /// Balances of `size` nodes that nothing connects.
    pub fn new(size: usize) -> Self {
        Balance { size, to: vec![0.0; size * size], to_ground: vec![0.0; size], pivots: vec![0.0; size] }
    }

    /// Adds what flows between two nodes, with the slopes at each; `None` is ground.
    pub fn add(&mut self, nodes: [Option<usize>; 2], slopes: [f64; 2]) {
        let [a, b] = nodes;
        if a == b {
            return;
        }
        for (from, to, slope) in [(a, b, slopes[0]), (b, a, slopes[1])] {
            match (from, to) {
                (Some(from), Some(to)) => self.to[to * self.size + from] += slope,
                (Some(from), None) => self.to_ground[from] += slope,
                (None, _) => {}
            }
        }
    }

    /// Eliminates all nodes, the last first. `None` if one has no connection left, or numbers overflow.
    pub fn eliminate(mut self) -> Option<Self> {
        let n = self.size;
        for k in (0..n).rev() {
            let pivot = self.to_ground[k] + (0..k).map(|i| self.to[i * n + k]).sum::<f64>();
            if !(pivot > 0.0 && pivot.is_finite()) {
                return None;
            }
            for j in 0..k {
                let part = self.to[k * n + j] / pivot;
                if part > 0.0 {
                    for i in (0..k).filter(|i| *i != j) {
                        self.to[i * n + j] += self.to[i * n + k] * part;
                    }
                    self.to_ground[j] += self.to_ground[k] * part;
                }
            }
            self.pivots[k] = pivot;
        }
        Some(self)
    }

    /// The values of the nodes with which `leaving` leaves each.
    pub fn solve(&self, mut leaving: Vec<f64>) -> Vec<f64> {
        let n = self.size;
        for k in (0..n).rev() {
            let part = leaving[k] / self.pivots[k];
            for (i, leaving) in leaving.iter_mut().enumerate().take(k) {
                *leaving += self.to[i * n + k] * part;
            }
        }
        for k in 0..n {
            let sum: f64 = (0..k).map(|j| self.to[k * n + j] * leaving[j]).sum();
            leaving[k] = (leaving[k] + sum) / self.pivots[k];
        }
        leaving
    }
}
