//! In which order the cliques of an island are eliminated: minimum degree.
//!
//! Eliminating a clique couples all its neighbors with each other. The one whose neighbors have the fewest velocities
//! goes first, of equals that of the smallest number, so that a pattern has one order. The graph is kept as rows of
//! bits, which makes an elimination a few words per neighbor and gives the fill exactly \[Rose 1972\]; islands have
//! hundreds of cliques, not millions.
//!
//! Towards the end what is left is coupled throughout. From there on it is one dense matrix, the **tail**: a dense
//! factorization is several times as fast per operation.

/// A tail of fewer velocities is eliminated clique by clique (measured: `docs/decisions/014-block-sparse-factor.md`).
const SHORTEST_TAIL: usize = 24;
/// The same where all cliques left are of the size of free bodies or less, whose blocks have kernels of their own.
const SHORTEST_FREE_TAIL: usize = 72;
const FREE: u32 = 6;
/// The tail begins when every clique left has at least this part of the velocities left in its neighbors and itself.
const TAIL_DENSITY: f64 = 0.7;

/// The result, and the memory of the algorithm.
#[derive(Clone, Debug, Default)]
pub(super) struct Ordering {
    /// The cliques in the order of elimination.
    pub order: Vec<u32>,
    /// How many cliques come before the tail.
    pub columns: usize,
    /// For each of these, where its rows begin; one more entry for the end.
    pub starts: Vec<u32>,
    /// The cliques (not their places in the order) that are coupled to it when it is eliminated.
    pub rows: Vec<u32>,
    adjacent: Vec<u64>,
    weight: Vec<usize>,
    left: Vec<u32>,
}

impl Ordering {
    /// Orders cliques of the given sizes, coupled as the pairs `edges` say.
    pub fn compute(&mut self, sizes: &[u32], edges: &[(u32, u32)]) {
        let n = sizes.len();
        let words = n.div_ceil(64);
        self.order.clear();
        self.starts.clear();
        self.rows.clear();
        self.order.reserve(n);
        self.starts.reserve(n + 1);
        self.adjacent.clear();
        self.adjacent.resize(n * words, 0);
        for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
            self.adjacent[a as usize * words + b as usize / 64] |= 1 << (b % 64);
            self.adjacent[b as usize * words + a as usize / 64] |= 1 << (a % 64);
        }
        self.weight.clear();
        self.weight.resize(n, 0);
        self.left.clear();
        self.left.extend(0..n as u32);
        for v in 0..n {
            self.weight[v] = neighbors(&self.adjacent[v * words..(v + 1) * words]).map(|u| sizes[u] as usize).sum();
        }
        let mut total: usize = sizes.iter().map(|&s| s as usize).sum();
        while let Some((at, &next)) = self.left.iter().enumerate().min_by_key(|&(_, &v)| (self.weight[v as usize], v)) {
            let v = next as usize;
            let size = sizes[v] as usize;
            let free = self.left.iter().all(|&v| sizes[v as usize] <= FREE);
            let shortest = if free { SHORTEST_FREE_TAIL } else { SHORTEST_TAIL };
            if total >= shortest && (self.weight[v] + size) as f64 >= TAIL_DENSITY * total as f64 {
                break;
            }
            self.left.remove(at);
            total -= size;
            self.order.push(next);
            let first = self.rows.len();
            self.starts.push(first as u32);
            self.rows.extend(neighbors(&self.adjacent[v * words..(v + 1) * words]).map(|u| u as u32));
            for &u in &self.rows[first..] {
                let u = u as usize;
                for w in 0..words {
                    self.adjacent[u * words + w] |= self.adjacent[v * words + w];
                }
                let row = &mut self.adjacent[u * words..(u + 1) * words];
                row[u / 64] &= !(1 << (u % 64));
                row[v / 64] &= !(1 << (v % 64));
                self.weight[u] = neighbors(row).map(|w| sizes[w] as usize).sum();
            }
        }
        self.starts.push(self.rows.len() as u32);
        self.columns = self.order.len();
        self.order.extend_from_slice(&self.left);
    }
}

/// The numbers of the bits that are set.
fn neighbors(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(w, &bits)| {
        let mut bits = bits;
        std::iter::from_fn(move || {
            let bit = bits.trailing_zeros() as usize;
            (bits != 0).then(|| {
                bits &= bits - 1;
                64 * w + bit
            })
        })
    })
}
