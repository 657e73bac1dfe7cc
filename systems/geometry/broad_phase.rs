//! Broad phase, the pairs of boxes that overlap: sweep and prune along the axis on which the boxes are spread most,
//! column by column.
//!
//! A sweep holds all boxes that extend across its position: for n balls in a pile some n^(2/3), but in columns two box
//! widths wide only a few. A box is in all columns that it reaches, and two boxes are reported in the first column that
//! both reach.
//!
//! Pairs are ordered by a rank that the caller gives, so the result does not depend on the sweep. The workspace is
//! kept: nothing is allocated once it has grown. Boxes may be unbounded (half-spaces): they stay active over the whole
//! sweep, in all columns.

use super::Aabb;
use nalgebra::Vector3;

/// Number of boxes below which there is a single column.
const COLUMNS_THRESHOLD: usize = 128;
/// Width of a column, in mean widths of boxes.
const WIDTHS: f64 = 2.0;

/// A reusable workspace for [`candidates`](Self::candidates).
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    order: Vec<u32>,
    /// The boxes of each column, in the order of the sweep.
    columns: Vec<Vec<u32>>,
    active: Vec<u32>,
    /// The pairs found, with their ranks.
    ranked: Vec<(u128, (u32, u32))>,
    pairs: Vec<(u32, u32)>,
}

/// Rank that orders pairs ascendingly.
pub fn ascending(i: u32, j: u32) -> u128 {
    u128::from(i) << 32 | u128::from(j)
}

impl BroadPhase {
    /// All pairs `(i, j)`, `i < j`, of boxes that overlap and pass `filter(i, j)`, ordered by `rank(i, j)`, which must
    /// be unique.
    pub fn candidates(
        &mut self,
        boxes: &[Aabb],
        filter: impl Fn(u32, u32) -> bool,
        rank: impl Fn(u32, u32) -> u128,
    ) -> &[(u32, u32)] {
        let spread = Spread::of(boxes);
        let axis = spread.axes[0];
        let lower = |i: &u32| boxes[*i as usize].min[axis];
        self.order.clear();
        self.order.extend(0..boxes.len() as u32);
        self.order.sort_unstable_by(|i, j| lower(i).total_cmp(&lower(j)).then(i.cmp(j)));
        self.ranked.clear();
        let mut found = |i: u32, j: u32| {
            let pair = (i.min(j), i.max(j));
            if filter(pair.0, pair.1) {
                self.ranked.push((rank(pair.0, pair.1), pair));
            }
        };
        let grid = Columns::of(boxes, &spread);
        if grid.count() == 1 {
            sweep(boxes, axis, &self.order, &mut self.active, &mut found);
        } else {
            self.columns.resize_with(grid.count().max(self.columns.len()), Vec::new);
            self.columns.iter_mut().for_each(Vec::clear);
            for &i in &self.order {
                grid.reached_by(&boxes[i as usize]).for_each(|column| self.columns[column].push(i));
            }
            for (number, column) in self.columns.iter().enumerate().take(grid.count()) {
                sweep(boxes, axis, column, &mut self.active, &mut |i, j| {
                    if grid.at(&boxes[i as usize].min.sup(&boxes[j as usize].min)) == number {
                        found(i, j);
                    }
                });
            }
        }
        self.ranked.sort_unstable_by_key(|(rank, _)| *rank);
        self.pairs.clear();
        self.pairs.extend(self.ranked.iter().map(|(_, pair)| pair));
        &self.pairs
    }
}

/// Calls `found` with the overlapping pairs of the boxes in `order`, which is by their lower ends along `axis`.
fn sweep(boxes: &[Aabb], axis: usize, order: &[u32], active: &mut Vec<u32>, found: &mut impl FnMut(u32, u32)) {
    active.clear();
    for &j in order {
        let box_j = &boxes[j as usize];
        let mut k = 0;
        while k < active.len() {
            let i = active[k];
            let box_i = &boxes[i as usize];
            if box_i.max[axis] < box_j.min[axis] {
                active.swap_remove(k);
                continue;
            }
            k += 1;
            if box_i.overlaps(box_j) {
                found(i, j);
            }
        }
        active.push(j);
    }
}

/// Distribution of the boxes with a finite centre.
struct Spread {
    /// The axes by the variance of centres, greatest first.
    axes: [usize; 3],
    low: Vector3<f64>,
    high: Vector3<f64>,
    width: Vector3<f64>,
}

impl Spread {
    fn of(boxes: &[Aabb]) -> Self {
        let (mut sum, mut squares, mut count) = (Vector3::zeros(), Vector3::zeros(), 0.0);
        let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        let mut width = Vector3::zeros();
        for b in boxes {
            let center = (b.min + b.max) * 0.5;
            if center.iter().all(|x: &f64| x.is_finite()) {
                sum += center;
                squares += center.component_mul(&center);
                count += 1.0;
                (low, high) = (low.inf(&center), high.sup(&center));
                width += b.max - b.min;
            }
        }
        if count == 0.0 {
            return Spread { axes: [0, 1, 2], low: sum, high: sum, width };
        }
        let mean: Vector3<f64> = sum / count;
        let variance = squares / count - mean.component_mul(&mean);
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| variance[j].total_cmp(&variance[i]));
        Spread { axes, low, high, width: width / count }
    }
}

/// Columns of equal width along two axes; the outermost ones are unbounded.
struct Columns {
    axes: [usize; 2],
    low: [f64; 2],
    width: [f64; 2],
    counts: [usize; 2],
}

impl Columns {
    fn of(boxes: &[Aabb], spread: &Spread) -> Self {
        let axes = [spread.axes[1], spread.axes[2]];
        let extent = axes.map(|axis| spread.high[axis] - spread.low[axis]);
        // Large boxes are in many columns.
        let most = if boxes.len() < COLUMNS_THRESHOLD { 1.0 } else { (boxes.len() as f64).cbrt() };
        let counts = [0, 1].map(|k| {
            let wanted = extent[k] / (WIDTHS * spread.width[axes[k]]);
            if wanted.is_finite() { wanted.clamp(1.0, most) as usize } else { 1 }
        });
        let width = [0, 1].map(|k| extent[k] / counts[k] as f64);
        Columns { axes, low: axes.map(|axis| spread.low[axis]), width, counts }
    }

    fn count(&self) -> usize {
        self.counts[0] * self.counts[1]
    }

    /// Index along axis `k` of the column at `x` \[m\].
    fn place(&self, k: usize, x: f64) -> usize {
        // A number below the first column, or NaN, becomes zero.
        (((x - self.low[k]) / self.width[k]) as usize).min(self.counts[k] - 1)
    }

    /// Number of the column at a point \[m\].
    fn at(&self, point: &Vector3<f64>) -> usize {
        let [i, j] = [0, 1].map(|k| self.place(k, point[self.axes[k]]));
        i * self.counts[1] + j
    }

    /// Numbers of the columns that a box reaches.
    fn reached_by(&self, reaches: &Aabb) -> impl Iterator<Item = usize> {
        let columns = self.counts[1];
        let along = |k: usize| [&reaches.min, &reaches.max].map(|end| self.place(k, end[self.axes[k]]));
        let ([first, last], [low, high]) = (along(0), along(1));
        (first..=last).flat_map(move |i| (low..=high).map(move |j| i * columns + j))
    }
}
