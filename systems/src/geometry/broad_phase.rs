//! Which pairs of boxes overlap: sweep and prune along the axis on which the boxes are spread most.
//!
//! Pairs come out in an order that is asked for, so the answer does not depend on how the sweep went. The workspace is kept: nothing is
//! allocated once it has grown. Boxes may be unbounded (half-spaces): they stay active over the whole sweep.

use super::Aabb;
use nalgebra::Vector3;

/// A reusable workspace for [`candidates`](Self::candidates).
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    order: Vec<u32>,
    active: Vec<u32>,
    /// What was found, with ranks.
    ranked: Vec<(u128, (u32, u32))>,
    pairs: Vec<(u32, u32)>,
}

/// The rank of pairs in ascending order.
pub fn ascending(i: u32, j: u32) -> u128 {
    u128::from(i) << 32 | u128::from(j)
}

impl BroadPhase {
    /// All pairs `(i, j)`, `i < j`, of boxes that overlap and that `filter(i, j)` lets through, by `rank(i, j)`, which no
    /// two pairs share.
    pub fn candidates(
        &mut self,
        boxes: &[Aabb],
        filter: impl Fn(u32, u32) -> bool,
        rank: impl Fn(u32, u32) -> u128,
    ) -> &[(u32, u32)] {
        let axis = widest_axis(boxes);
        let lower = |i: &u32| boxes[*i as usize].min[axis];
        self.order.clear();
        self.order.extend(0..boxes.len() as u32);
        self.order.sort_unstable_by(|i, j| lower(i).total_cmp(&lower(j)).then(i.cmp(j)));
        self.active.clear();
        self.ranked.clear();
        for &j in &self.order {
            let box_j = &boxes[j as usize];
            let mut k = 0;
            while k < self.active.len() {
                let i = self.active[k];
                let box_i = &boxes[i as usize];
                if box_i.max[axis] < box_j.min[axis] {
                    self.active.swap_remove(k);
                    continue;
                }
                k += 1;
                let pair = (i.min(j), i.max(j));
                if box_i.overlaps(box_j) && filter(pair.0, pair.1) {
                    self.ranked.push((rank(pair.0, pair.1), pair));
                }
            }
            self.active.push(j);
        }
        self.ranked.sort_unstable_by_key(|(rank, _)| *rank);
        self.pairs.clear();
        self.pairs.extend(self.ranked.iter().map(|(_, pair)| pair));
        &self.pairs
    }
}

/// The axis with the greatest variance of the (finite) centres.
fn widest_axis(boxes: &[Aabb]) -> usize {
    let (mut sum, mut squares, mut count) = (Vector3::zeros(), Vector3::zeros(), 0.0);
    for b in boxes {
        let center = (b.min + b.max) * 0.5;
        if center.iter().all(|x: &f64| x.is_finite()) {
            sum += center;
            squares += center.component_mul(&center);
            count += 1.0;
        }
    }
    if count == 0.0 {
        return 0;
    }
    let mean: Vector3<f64> = sum / count;
    (squares / count - mean.component_mul(&mean)).imax()
}
