//! Excluded pairs of bodies: by name, for their overlap at the start, or as parts of one fibre.

use std::ops::Range;

/// Set of excluded pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Excluded {
    /// Pairs, the smaller body first, sorted.
    pairs: Vec<[usize; 2]>,
    /// Pairs that are excluded for their overlap at the start, sorted.
    at_start: Vec<[usize; 2]>,
    /// Ranges of bodies without contact among them, sorted.
    ranges: Vec<Range<usize>>,
}

impl Excluded {
    /// Adds pairs.
    pub fn pairs(&mut self, pairs: impl IntoIterator<Item = [usize; 2]>) {
        self.pairs.extend(pairs.into_iter().map(|[a, b]| [a.min(b), a.max(b)]));
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    /// Adds pairs that overlap at the start.
    pub fn at_start(&mut self, pairs: &[[usize; 2]]) {
        self.at_start.extend(pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]));
        self.at_start.sort_unstable();
        self.pairs(pairs.iter().copied());
    }

    /// Adds all pairs within each of these ranges, which must be disjoint.
    pub fn within(&mut self, ranges: impl IntoIterator<Item = Range<usize>>) {
        self.ranges.extend(ranges);
        self.ranges.sort_unstable_by_key(|range| range.start);
    }

    /// True if the pair is excluded.
    pub fn has(&self, a: usize, b: usize) -> bool {
        if !self.pairs.is_empty() && self.pairs.binary_search(&[a.min(b), a.max(b)]).is_ok() {
            return true;
        }
        let range = self.ranges.partition_point(|range| range.start <= a).checked_sub(1);
        range.is_some_and(|i| self.ranges[i].contains(&a) && self.ranges[i].contains(&b))
    }

    /// True if a pair is excluded for its overlap at the start.
    pub fn is_at_start(&self, a: usize, b: usize) -> bool {
        self.at_start.binary_search(&[a.min(b), a.max(b)]).is_ok()
    }
}
