//! Neighbours: the pairs of boxes that may overlap, kept from query to query while every box stays within its enlarged
//! one.
//!
//! A sweep uses boxes enlarged by some slack. As long as every box stays within its enlarged one, no pair outside the
//! list can overlap, so the next queries search only the list: those of the states within one attempted step, and of
//! the steps after it until something has moved by the slack. The result equals that of a sweep over the boxes
//! themselves, to the bit and in the same order, whatever the earlier queries were.

use super::Aabb;
use super::broad_phase::BroadPhase;

/// A list of neighbours; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    sweep: BroadPhase,
    /// The boxes of the last sweep, enlarged.
    enlarged: Vec<Aabb>,
    /// The pairs of enlarged boxes that overlap.
    pairs: Vec<(u32, u32)>,
    sweeps: usize,
}

impl Neighbours {
    /// Clears the list: to be called if the boxes or the filter are replaced.
    pub fn forget(&mut self) {
        self.enlarged.clear();
    }

    /// Number of sweeps so far.
    pub fn sweeps(&self) -> usize {
        self.sweeps
    }

    /// All pairs `(i, j)`, `i < j`, of boxes that overlap and pass `filter(i, j)`, by ascending `rank(i, j)`, which
    /// must be unique. A sweep, if one is needed, grows the boxes by `slack` \[m\]. Filter and rank must be the same
    /// from call to call.
    pub fn candidates<'a>(
        &'a mut self,
        boxes: &'a [Aabb],
        slack: f64,
        filter: impl Fn(u32, u32) -> bool,
        rank: impl Fn(u32, u32) -> u128,
    ) -> impl Iterator<Item = (u32, u32)> + 'a {
        let kept = self.enlarged.len() == boxes.len()
            && boxes.iter().zip(&self.enlarged).all(|(b, enlarged)| enlarged.contains(b));
        if !kept {
            self.enlarged.clear();
            self.enlarged.extend(boxes.iter().map(|b| b.inflated(slack)));
            self.pairs.clear();
            self.pairs.extend_from_slice(self.sweep.candidates(&self.enlarged, filter, rank));
            self.sweeps += 1;
        }
        self.pairs.iter().copied().filter(|&(i, j)| boxes[i as usize].overlaps(&boxes[j as usize]))
    }
}
