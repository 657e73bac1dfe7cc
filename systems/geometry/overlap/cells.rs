//! The overlay of upper and lower faces: polygons above which the depth of a convex volume is linear.

use super::patch::Cell;
use nalgebra::Vector2;
use std::ops::Range;

/// A face seen along the normal.
#[derive(Clone, Debug)]
struct Flat {
    /// Height above the contact plane at its origin, and its slopes along each axis.
    height: [f64; 3],
    corners: Range<usize>,
    /// Least and greatest coordinates.
    bounds: [Vector2<f64>; 2],
}

/// The overlay of all upper and all lower faces.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlay {
    pub cells: Vec<Cell>,
    pub corners: Vec<Vector2<f64>>,
    // Buffers: upper and lower faces, their corners anticlockwise about the normal, and a polygon that is cut.
    faces: [Vec<Flat>; 2],
    rings: Vec<Vector2<f64>>,
    polygon: Vec<Vector2<f64>>,
    spare: Vec<Vector2<f64>>,
}

impl Overlay {
    pub fn start(&mut self) {
        self.faces.iter_mut().for_each(Vec::clear);
        self.rings.clear();
        self.cells.clear();
        self.corners.clear();
    }

    /// Adds a face whose corners are anticlockwise seen from outside.
    pub fn add(&mut self, upper: bool, height: [f64; 3], ring: impl Iterator<Item = Vector2<f64>>) {
        let start = self.rings.len();
        self.rings.extend(ring);
        let own = &mut self.rings[start..];
        if !upper {
            own.reverse();
        }
        let Some(&first) = own.first() else { return };
        let bounds = own.iter().fold([first, first], |[low, high], p| [low.inf(p), high.sup(p)]);
        self.faces[usize::from(!upper)].push(Flat { height, corners: start..self.rings.len(), bounds });
    }

    /// Computes the cells. Returns the sum of their areas.
    pub fn overlay(&mut self) -> f64 {
        let Overlay { cells, corners, faces: [uppers, lowers], rings, polygon, spare } = self;
        let mut sum = 0.0;
        for upper in uppers.iter() {
            for lower in lowers.iter() {
                let apart =
                    |i: usize| upper.bounds[0][i] >= lower.bounds[1][i] || lower.bounds[0][i] >= upper.bounds[1][i];
                if apart(0) || apart(1) {
                    continue;
                }
                polygon.clear();
                polygon.extend(&rings[lower.corners.clone()]);
                let ring = &rings[upper.corners.clone()];
                for i in 0..ring.len() {
                    keep_left(polygon, spare, ring[i], ring[if i + 1 == ring.len() { 0 } else { i + 1 }]);
                }
                let Some((area, centroid)) = measure(polygon) else { continue };
                let start = corners.len();
                corners.extend(polygon.iter());
                let depth = std::array::from_fn(|i| upper.height[i] - lower.height[i]);
                cells.push(Cell { area, centroid, depth, corners: start..corners.len() });
                sum += area;
            }
        }
        sum
    }
}

/// Cuts a convex polygon to the part on the left of the line from p to q.
fn keep_left(polygon: &mut Vec<Vector2<f64>>, spare: &mut Vec<Vector2<f64>>, p: Vector2<f64>, q: Vector2<f64>) {
    let along = q - p;
    let side = |r: &Vector2<f64>| along.perp(&(r - p));
    spare.clear();
    for i in 0..polygon.len() {
        let (r, s) = (polygon[i], polygon[if i + 1 == polygon.len() { 0 } else { i + 1 }]);
        let (of_r, of_s) = (side(&r), side(&s));
        if of_r >= 0.0 {
            spare.push(r);
        }
        if (of_r > 0.0 && of_s < 0.0) || (of_r < 0.0 && of_s > 0.0) {
            spare.push(r + (s - r) * (of_r / (of_r - of_s)));
        }
    }
    std::mem::swap(polygon, spare);
}

/// Area and centroid of a polygon; `None` if it has no area.
fn measure(ring: &[Vector2<f64>]) -> Option<(f64, Vector2<f64>)> {
    let (mut doubled, mut moment) = (0.0, Vector2::zeros());
    for i in 1..ring.len().max(2) - 1 {
        let (u, v) = (ring[i] - ring[0], ring[i + 1] - ring[0]);
        let part = u.perp(&v);
        doubled += part;
        moment += (u + v) * (part / 3.0);
    }
    (doubled > 0.0).then(|| (0.5 * doubled, ring[0] + moment / doubled))
}

/// The convex hull of points in a plane, anticlockwise.
pub(super) fn hull(points: &[Vector2<f64>]) -> Vec<Vector2<f64>> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    sorted.dedup();
    let size = sorted.iter().map(|p| p.amax()).fold(0.0, f64::max);
    let mut found: Vec<Vector2<f64>> = Vec::new();
    let mut chain = |points: &mut dyn Iterator<Item = &Vector2<f64>>| {
        let start = found.len();
        for &p in points {
            // Corners nearer to a line than rounding are on it.
            while let [.., q, r] = found[start.min(found.len())..]
                && (r - q).perp(&(p - q)) <= 1e-13 * size * (p - q).norm()
            {
                found.pop();
            }
            found.push(p);
        }
        found.pop();
    };
    chain(&mut sorted.iter());
    chain(&mut sorted.iter().rev());
    found
}
