//! Neighbours: the pairs of boxes that may overlap, kept from query to query while no box leaves its enlarged one.
//!
//! A sweep looks at boxes enlarged by some slack. As long as every box stays within its enlarged one, no pair outside
//! the list can overlap, so the next queries only look through the list: the states within one attempted step, and
//! those of the steps after it until something has moved by the slack. The answer is that of a sweep over the boxes
//! themselves, to the bit and in the same order, whatever was asked before.

use super::Aabb;
use super::broad_phase::BroadPhase;

/// A list of neighbours; keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    sweep: BroadPhase,
    /// The boxes of the last sweep, enlarged.
    enlarged: Vec<Aabb>,
    /// The pairs of those that overlap.
    pairs: Vec<(u32, u32)>,
    sweeps: usize,
}

impl Neighbours {
    /// Forgets the list: the next boxes are others, or the next filter.
    pub fn forget(&mut self) {
        self.enlarged.clear();
    }

    /// How many sweeps were made so far.
    pub fn sweeps(&self) -> usize {
        self.sweeps
    }

    /// All pairs `(i, j)`, `i < j`, of boxes that overlap and that `filter(i, j)` lets through, by ascending
    /// `rank(i, j)`, which no two pairs share. A sweep, if one is needed, grows the boxes by `slack` \[m\]. Filter and
    /// rank must be the same from call to call.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::broad_phase::ascending;
    use nalgebra::Vector3;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn moving_boxes_have_the_candidates_of_a_sweep_at_every_time(
            boxes in prop::collection::vec((prop::array::uniform3(-3.0..3.0_f64), prop::array::uniform3(-0.3..0.3_f64)), 1..30),
            slack in 0.0..0.5_f64,
        ) {
            let (mut neighbours, mut sweep) = (Neighbours::default(), BroadPhase::default());
            let allowed = |i: u32, j: u32| !(i + j).is_multiple_of(3);
            for time in 0..20 {
                let at = |(p, v): &([f64; 3], [f64; 3])| {
                    let center = Vector3::from(*p) + Vector3::from(*v) * f64::from(time);
                    Aabb { min: center, max: center }.inflated(0.4)
                };
                let now: Vec<_> = boxes.iter().map(at).collect();
                let found: Vec<_> = neighbours.candidates(&now, slack, allowed, ascending).collect();
                prop_assert_eq!(&found[..], sweep.candidates(&now, allowed, ascending));
            }
        }
    }

    #[test]
    fn pairs_have_the_order_that_is_asked_for() {
        let unit = Aabb { min: Vector3::zeros(), max: Vector3::repeat(1.0) };
        let mut neighbours = Neighbours::default();
        let mut found = |rank: fn(u32, u32) -> u128| -> Vec<_> {
            neighbours.forget();
            neighbours.candidates(&[unit; 3], 0.1, |_, _| true, rank).collect()
        };
        assert_eq!(found(ascending), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(found(|i, j| ascending(3 - j, i)), [(0, 2), (1, 2), (0, 1)]);
    }

    #[test]
    fn a_sweep_serves_until_something_has_moved_by_the_slack() {
        let mut neighbours = Neighbours::default();
        let unit = Aabb { min: Vector3::zeros(), max: Vector3::repeat(1.0) };
        for (moved, sweeps) in [(0.0, 1), (0.05, 1), (0.09, 1), (0.11, 2), (0.2, 2), (0.0, 3)] {
            let boxes = [unit, Aabb { min: unit.min.add_scalar(moved), max: unit.max.add_scalar(moved) }];
            assert_eq!(neighbours.candidates(&boxes, 0.1, |_, _| true, ascending).count(), 1);
            assert_eq!(neighbours.sweeps(), sweeps, "{moved}");
        }
    }
}
