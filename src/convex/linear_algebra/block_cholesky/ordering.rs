//! Elimination order of the cliques of an island: minimum degree.
//!
//! Eliminating a clique couples all its neighbors with each other. The clique whose neighbors have the fewest
//! velocities goes first, of equals that of the smallest number, so that a pattern has one order. The graph is kept as
//! rows of bits, which makes an elimination a few words per neighbor and gives the fill exactly \[Rose 1972\]: of ten
//! thousand cliques, 12 MB. Words without a bit are skipped, and the next clique is the least of a heap, into which
//! those whose neighbors have changed are inserted again.
//!
//! Towards the end the remaining cliques are all coupled. From there on they form one dense matrix, the **tail**: a
//! dense factorization is several times as fast per operation.

use crate::choices::ordering::{MIN_QUEUE, SHORTEST_FREE_TAIL, SHORTEST_TAIL, TAIL_DENSITY};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Velocities of a free body.
const FREE: u32 = 6; // size

/// Result, and the memory of the algorithm.
#[derive(Clone, Debug, Default)]
pub struct Ordering {
    /// Cliques in the order of elimination.
    pub order: Vec<u32>,
    /// Number of cliques before the tail.
    pub columns: usize,
    /// For each of these, the offset of its rows; one more entry for the end.
    pub starts: Vec<u32>,
    /// Cliques (not their places in the order) that are coupled to it when it is eliminated.
    pub rows: Vec<u32>,
    adjacent: Vec<u64>,
    /// Words with bits of the row that is eliminated, by their places in the row.
    words: Vec<(usize, u64)>,
    /// Velocities of the neighbors of each clique.
    weight: Vec<usize>,
    /// Cliques by their weights; entries with another weight than the present one are outdated.
    queue: BinaryHeap<Reverse<(usize, u32)>>,
    is_left: Vec<bool>,
}

impl Ordering {
    /// Orders cliques of the given sizes, coupled by the pairs `edges`.
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
        self.is_left.clear();
        self.is_left.resize(n, true);
        self.weight.clear();
        self.queue.clear();
        for v in 0..n {
            let row = &self.adjacent[v * words..(v + 1) * words];
            self.weight.push(neighbors(row).map(|u| sizes[u] as usize).sum());
            if n >= MIN_QUEUE {
                self.queue.push(Reverse((self.weight[v], v as u32)));
            }
        }
        let mut total: usize = sizes.iter().map(|&s| s as usize).sum();
        let mut larger = sizes.iter().filter(|&&size| size > FREE).count();
        while let Some(v) = self.next_clique() {
            let (size, weight) = (sizes[v] as usize, self.weight[v]);
            let shortest = if larger == 0 { SHORTEST_FREE_TAIL } else { SHORTEST_TAIL };
            if total >= shortest && (weight + size) as f64 >= TAIL_DENSITY * total as f64 {
                break;
            }
            self.is_left[v] = false;
            total -= size;
            larger -= usize::from(sizes[v] > FREE);
            self.eliminate(v, sizes, words);
        }
        self.starts.push(self.rows.len() as u32);
        self.columns = self.order.len();
        self.order.extend((0..n as u32).filter(|&v| self.is_left[v as usize]));
    }

    /// Next clique to eliminate, if one is left.
    fn next_clique(&mut self) -> Option<usize> {
        let Ordering { queue, weight, is_left, .. } = self;
        if weight.len() < MIN_QUEUE {
            let left = (0..weight.len()).filter(|&v| is_left[v]);
            return left.min_by_key(|&v| (weight[v], v));
        }
        while let Some(Reverse((weighed, v))) = queue.pop() {
            let v = v as usize;
            if is_left[v] && weighed == weight[v] {
                return Some(v);
            }
        }
        None
    }

    /// Eliminates clique `v`: its neighbors are coupled with each other.
    fn eliminate(&mut self, v: usize, sizes: &[u32], words: usize) {
        let Ordering { order, starts, rows, adjacent, words: set, weight, queue, .. } = self;
        order.push(v as u32);
        let first = rows.len();
        starts.push(first as u32);
        let row = &adjacent[v * words..(v + 1) * words];
        rows.extend(neighbors(row).map(|u| u as u32));
        set.clear();
        set.extend(row.iter().copied().enumerate().filter(|(_, bits)| *bits != 0));
        for &u in &rows[first..] {
            let u = u as usize;
            let row = &mut adjacent[u * words..(u + 1) * words];
            row[v / 64] &= !(1 << (v % 64));
            let mut added = 0;
            for &(w, bits) in set.iter() {
                let itself = if w == u / 64 { 1 << (u % 64) } else { 0 };
                let new = bits & !row[w] & !itself;
                row[w] |= new;
                added += ones(new).map(|bit| sizes[64 * w + bit] as usize).sum::<usize>();
            }
            weight[u] += added;
            weight[u] -= sizes[v] as usize;
            if sizes.len() >= MIN_QUEUE {
                queue.push(Reverse((weight[u], u as u32)));
            }
        }
    }
}

/// Indices of the set bits in a row.
fn neighbors(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(w, &bits)| ones(bits).map(move |bit| 64 * w + bit))
}

/// Indices of the set bits in a word.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            bit
        })
    })
}
