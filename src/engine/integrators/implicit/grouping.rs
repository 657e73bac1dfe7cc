//! Groups of columns of a Jacobian that are differenced together, and its blocks.
//!
//! A part of the state (a tree of a plant, an external state) changes the rates of the parts that it acts on, and no
//! others. Parts that act on nothing in common share their evaluations [Curtis, Powell & Reid 1974]: bodies that lie
//! apart cost as much as one of them. Parts that are connected at all form one block.

use crate::integrators::couplings::Couplings;
use kinegraph_convex::linear_algebra::DisjointSets;
use std::ops::Range;

/// Colors of the parts, and the blocks of connected parts; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Grouping {
    /// Numbers of the state in each part, part by part.
    members: Vec<usize>,
    member_ranges: Vec<Range<usize>>,
    /// Pairs of parts, in order: the first acts on the second, itself among them.
    pairs: Vec<(usize, usize)>,
    reaches: Vec<Range<usize>>,
    /// Parts in order of their colors, and the range of each color.
    colored: Vec<usize>,
    color_ranges: Vec<Range<usize>>,
    done: Vec<bool>,
    taken: Vec<usize>,
    sets: DisjointSets,
}

impl Grouping {
    /// Groups the parts of `couplings`: each takes the first color in which no other part acts on the same one.
    pub fn find(&mut self, couplings: &Couplings) {
        let count = couplings.count;
        self.members.clear();
        self.members.extend(0..couplings.part_of.len());
        self.members.sort_unstable_by_key(|&i| (couplings.part_of[i], i));
        ranges(&mut self.member_ranges, count, self.members.iter().map(|&i| couplings.part_of[i]));
        self.pairs.clear();
        self.pairs.extend((0..count).map(|part| (part, part)).chain(couplings.pairs.iter().copied()));
        self.pairs.sort_unstable();
        self.pairs.dedup();
        ranges(&mut self.reaches, count, self.pairs.iter().map(|pair| pair.0));
        self.sets.reset(count);
        self.pairs.iter().for_each(|&(a, b)| self.sets.join(a, b));
        self.color(count);
    }

    fn color(&mut self, count: usize) {
        self.done.clear();
        self.done.resize(count, false);
        self.taken.clear();
        self.taken.resize(count, 0);
        self.colored.clear();
        self.color_ranges.clear();
        while self.colored.len() < count {
            let (first, color) = (self.colored.len(), self.color_ranges.len() + 1);
            for part in 0..count {
                let reach = &self.pairs[self.reaches[part].clone()];
                if !self.done[part] && reach.iter().all(|&(_, row)| self.taken[row] != color) {
                    reach.iter().for_each(|&(_, row)| self.taken[row] = color);
                    self.done[part] = true;
                    self.colored.push(part);
                }
            }
            self.color_ranges.push(first..self.colored.len());
        }
    }

    /// Puts two parts into one block without a common color: their action on each other is known.
    pub fn join(&mut self, a: usize, b: usize) {
        self.sets.join(a, b);
    }

    /// Number of colors.
    pub fn colors(&self) -> usize {
        self.color_ranges.len()
    }

    /// Parts of a color.
    pub fn parts(&self, color: usize) -> &[usize] {
        &self.colored[self.color_ranges[color].clone()]
    }

    /// Numbers of the state in a part.
    pub fn members(&self, part: usize) -> &[usize] {
        &self.members[self.member_ranges[part].clone()]
    }

    /// Numbers of the state whose rates a part acts on.
    pub fn rows(&self, part: usize) -> impl Iterator<Item = usize> + '_ {
        let reach = &self.pairs[self.reaches[part].clone()];
        reach.iter().flat_map(|&(_, row)| self.members(row).iter().copied())
    }

    /// Writes to `blocks` the block of every number of the state; numbers that are not connected have different ones.
    pub fn blocks(&mut self, couplings: &Couplings, blocks: &mut Vec<usize>) {
        blocks.clear();
        blocks.extend(couplings.part_of.iter().map(|&part| self.sets.root(part)));
    }
}

/// Ranges of the numbers up to `count` in a rising list.
fn ranges(out: &mut Vec<Range<usize>>, count: usize, rising: impl Iterator<Item = usize>) {
    out.clear();
    out.resize(count, 0..0);
    for (at, number) in rising.enumerate() {
        if out[number].is_empty() {
            out[number].start = at;
        }
        out[number].end = at + 1;
    }
}
