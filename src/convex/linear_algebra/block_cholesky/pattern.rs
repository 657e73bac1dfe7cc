//! Patterns of sparse factors, analyzed once and remembered.
//!
//! Contacts come and go, but most solves have the pattern of one before them: iterations, half steps, retries, steps of
//! a pile at rest. The result of the analysis is a row of small integers. All rows are in one store, whose capacity
//! follows from the number of cliques; when it is full, everything is forgotten. So the memory is taken once for
//! problems of a size, whatever patterns come, and the analysis of a pattern never depends on those before it.

use super::ordering::Ordering;

/// Capacity of the store: this number of integers (1 MiB), less for few cliques (16 KiB for each), or enough for
/// `MIN_PATTERNS` patterns of the size of the one to be added.
const MAX_CAPACITY: usize = 1 << 18; // size
const CAPACITY_OF_CLIQUE: usize = 1 << 12; // size
const MIN_PATTERNS: usize = 4; // size
/// Largest number of patterns that are remembered.
const MAX_ENTRIES: usize = 1024; // size
/// Slots of the table of hashes.
const SLOTS: usize = 2 * MAX_ENTRIES;

/// Store of analyzed patterns.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    store: Vec<u32>,
    entries: Vec<Entry>,
    /// Entries by hash, each in its slot or the next free one; zero: free, else the number of the entry plus one.
    slots: Vec<u32>,
    ordering: Ordering,
    scratch: Vec<u32>,
    /// Patterns that were found in the store, and those that had to be analyzed.
    pub counts: (usize, usize),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    at: usize,
    cliques: usize,
    edges: usize,
    columns: usize,
    blocks: usize,
}

/// The analysis of one pattern. Places count in the order of elimination; numbers of blocks run through the columns
/// before the tail.
#[derive(Clone, Copy, Debug)]
pub struct Pattern<'a> {
    /// Velocities of each place.
    pub size: &'a [u32],
    /// First row of each place among the velocities in the order of elimination; one more entry for the end.
    pub first: &'a [u32],
    /// Place of each clique.
    pub place: &'a [u32],
    /// Places before the tail.
    pub columns: usize,
    /// For each column, the offset of its diagonal block among the numbers; one more entry for the tail.
    pub diagonal: &'a [u32],
    /// For each column, the number of its first block below the diagonal; one more entry for the end.
    pub starts: &'a [u32],
    /// For each block, the place of its rows, increasing within a column.
    pub rows: &'a [u32],
    /// For each block, its offset among the numbers.
    pub blocks: &'a [u32],
    /// For each place, the first of its entries in `row_columns`; one more entry for the end.
    pub row_starts: &'a [u32],
    /// For each place, the columns with a block in its rows.
    pub row_columns: &'a [u32],
    /// The numbers of these blocks.
    pub row_blocks: &'a [u32],
}

impl Pattern<'_> {
    /// Number of velocities.
    pub fn velocities(&self) -> usize {
        self.first[self.size.len()] as usize
    }

    /// Number of velocities of a clique that is alone and no tail: then there is no order to find.
    #[inline]
    pub(super) fn alone(&self) -> Option<usize> {
        if self.columns != 1 {
            return None;
        }
        <&[u32; 1]>::try_from(self.size).ok().map(|&[size]| size as usize)
    }

    /// Offset of the tail among the numbers, and its number of velocities.
    pub fn tail(&self) -> (usize, usize) {
        (self.diagonal[self.columns] as usize, self.velocities() - self.first[self.columns] as usize)
    }

    /// Sets the blocks to zero that are added to: those below the diagonal, and the lower triangle of the tail.
    #[inline]
    pub(super) fn clear(&self, values: &mut [f64]) {
        for k in 0..self.columns {
            let below = (self.diagonal[k] + self.size[k] * self.size[k]) as usize;
            values[below..self.diagonal[k + 1] as usize].fill(0.0);
        }
        let (start, size) = self.tail();
        for (k, column) in values[start..].chunks_exact_mut(size.max(1)).enumerate() {
            column[k..].fill(0.0);
        }
    }

    /// Number of values of the factor.
    pub fn numbers(&self) -> usize {
        let (start, size) = self.tail();
        start + size * size
    }
}

impl Patterns {
    /// Returns the analysis of the pattern of cliques of the given sizes, coupled by the pairs `edges` (sorted, each
    /// once, the lower first).
    pub fn find(&mut self, sizes: &[u32], edges: &[(u32, u32)]) -> usize {
        let hash = hash(sizes, edges);
        self.slots.resize(SLOTS, 0);
        let mut slot = hash as usize % SLOTS;
        while self.slots[slot] != 0 {
            let id = self.slots[slot] as usize - 1;
            if self.entries[id].hash == hash && self.matches(&self.entries[id], sizes, edges) {
                self.counts.0 += 1;
                return id;
            }
            slot = (slot + 1) % SLOTS;
        }
        self.counts.1 += 1;
        self.analyze(hash, sizes, edges);
        self.entries.len() - 1
    }

    fn matches(&self, entry: &Entry, sizes: &[u32], edges: &[(u32, u32)]) -> bool {
        let (n, key) = (entry.cliques, &self.store[entry.at..]);
        entry.edges == edges.len()
            && key[..n] == *sizes
            && key[n..n + 2 * entry.edges].chunks_exact(2).zip(edges).all(|(key, &(a, b))| *key == [a, b])
    }

    fn analyze(&mut self, hash: u64, sizes: &[u32], edges: &[(u32, u32)]) {
        self.ordering.compute(sizes, edges);
        let Ordering { order, columns, starts, rows, .. } = &mut self.ordering;
        let (n, columns) = (sizes.len(), *columns);
        // A row entry for every block, one more integer for each end.
        let need = n + 2 * edges.len() + (4 * n + 2) + 2 * (columns + 1) + 4 * rows.len();
        // Powers of two: the store is enlarged a few times at most.
        let usual = (CAPACITY_OF_CLIQUE * n.next_power_of_two()).min(MAX_CAPACITY);
        let capacity = usual.max(MIN_PATTERNS * need).max(self.store.capacity());
        if self.store.len() + need > capacity || self.entries.len() == MAX_ENTRIES {
            self.store.clear();
            self.entries.clear();
            self.slots.fill(0);
        }
        self.store.reserve_exact(need.max(usual.saturating_sub(self.store.len())));
        if self.entries.is_empty() {
            self.entries.reserve_exact(MAX_ENTRIES);
        }
        let at = self.store.len();
        let store = &mut self.store;
        store.extend_from_slice(sizes);
        store.extend(edges.iter().flat_map(|&(a, b)| [a, b]));
        // Sizes and rows in the order of elimination.
        let size_of = |place: u32| sizes[order[place as usize] as usize];
        store.extend(order.iter().map(|&c| sizes[c as usize]));
        let mut sum = 0;
        for &c in order.iter() {
            store.push(sum);
            sum += sizes[c as usize];
        }
        store.push(sum);
        let place_at = store.len();
        store.resize(place_at + n, 0);
        for (place, &c) in order.iter().enumerate() {
            store[place_at + c as usize] = place as u32;
        }
        for row in rows.iter_mut() {
            *row = store[place_at + *row as usize];
        }
        for range in starts.windows(2) {
            rows[range[0] as usize..range[1] as usize].sort_unstable();
        }
        let mut numbers = 0;
        for k in 0..columns {
            let size = size_of(k as u32);
            store.push(numbers);
            numbers += size * size;
            numbers += rows[starts[k] as usize..starts[k + 1] as usize].iter().map(|&r| size * size_of(r)).sum::<u32>();
        }
        store.push(numbers);
        store.extend_from_slice(starts);
        store.extend_from_slice(rows);
        let mut numbers = 0;
        for k in 0..columns {
            let size = size_of(k as u32);
            numbers += size * size;
            for &r in &rows[starts[k] as usize..starts[k + 1] as usize] {
                store.push(numbers);
                numbers += size * size_of(r);
            }
        }
        // The same blocks by rows.
        let count = &mut self.scratch;
        count.clear();
        count.resize(n + 1, 0);
        rows.iter().for_each(|&r| count[r as usize + 1] += 1);
        (0..n).for_each(|i| count[i + 1] += count[i]);
        store.extend_from_slice(count);
        let list = store.len();
        store.resize(list + 2 * rows.len(), 0);
        for k in 0..columns {
            for t in starts[k]..starts[k + 1] {
                let next = &mut count[rows[t as usize] as usize];
                store[list + *next as usize] = k as u32;
                store[list + rows.len() + *next as usize] = t;
                *next += 1;
            }
        }
        debug_assert_eq!(store.len() - at, need);
        let (blocks, edges) = (rows.len(), edges.len());
        let mut slot = hash as usize % SLOTS;
        while self.slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        self.slots[slot] = self.entries.len() as u32 + 1;
        self.entries.push(Entry { hash, at, cliques: n, edges, columns, blocks });
    }

    /// Returns a pattern that was found.
    pub fn get(&self, id: usize) -> Pattern<'_> {
        let Entry { at, cliques: n, edges, columns, blocks, .. } = self.entries[id];
        let mut rest = &self.store[at + n + 2 * edges..];
        let mut take = |count: usize| {
            let (head, tail) = rest.split_at(count);
            rest = tail;
            head
        };
        Pattern {
            size: take(n),
            first: take(n + 1),
            place: take(n),
            columns,
            diagonal: take(columns + 1),
            starts: take(columns + 1),
            rows: take(blocks),
            blocks: take(blocks),
            row_starts: take(n + 1),
            row_columns: take(blocks),
            row_blocks: take(blocks),
        }
    }
}

/// FNV-1a over integers, with the upper half mixed into the lower.
fn hash(sizes: &[u32], edges: &[(u32, u32)]) -> u64 {
    let numbers = sizes.iter().copied().chain(edges.iter().flat_map(|&(a, b)| [a, b]));
    let h = numbers
        .fold(0xcbf2_9ce4_8422_2325 ^ sizes.len() as u64, |h, x| (h ^ u64::from(x)).wrapping_mul(0x0100_0000_01b3));
    h ^ (h >> 32)
}
