//! Simplification of a hull: fewer corners, within a given distance. Contact takes a time that grows with the number of
//! corners, and scanned parts have thousands of insignificant ones.
//!
//! Corners are kept, not moved: first those farthest along a few directions, then, over every face of the hull so far,
//! the one that is farthest outside, until none is outside by more than the distance. So large flat faces stay flat,
//! and a shape with few corners keeps all of them.

use super::build::{distinct, is_finite};
use super::clusters::Clusters;
use super::{ConvexHull, FLAT, HullError};
use nalgebra::Vector3;

/// Maximum number of rounds; each adds a corner per face that needs one.
const MAX_ROUNDS: usize = 30;
/// Points for each corner that a hull may have, from which the hull of all of them is not built at once.
const POINTS_PER_CORNER: usize = 4;

impl ConvexHull {
    /// The hull of `points` \[m\] if it has at most `corners` corners; otherwise one of fewer corners, with no point
    /// farther outside than the part `tolerance` of its size, the largest distance of a point from the middle of all.
    ///
    /// The hull of a mesh has thousands of corners, most of which are left out again. So the simple one is built first:
    /// few points are not within it, and those are the corners of the whole. Returns it with true if it is the hull of
    /// all points.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn simple(points: &[Vector3<f64>], tolerance: f64, corners: usize) -> Result<(Self, bool), HullError> {
        if points.len() > POINTS_PER_CORNER * corners
            && is_finite(points)
            && let Some(found) = simple_first(points, tolerance, corners)
        {
            return Ok(found);
        }
        let exact = Self::new(points)?;
        if exact.vertices.len() <= corners {
            return Ok((exact, true));
        }
        let simple = exact.simplified(tolerance * exact.radius);
        let is_whole = simple.vertices.len() == exact.vertices.len();
        Ok((simple, is_whole))
    }

    /// The hull of a subset of its corners, with none of the others farther than `distance` \[m\] outside; the hull
    /// itself if that is impossible.
    pub fn simplified(&self, distance: f64) -> ConvexHull {
        let points: Vec<Vector3<f64>> = self.vertices().collect();
        subset(&Clusters::new(&points), distance).unwrap_or_else(|| self.clone())
    }
}

/// The hull of many points as by [`ConvexHull::simple`]; `None` if it is not found so.
fn simple_first(points: &[Vector3<f64>], tolerance: f64, corners: usize) -> Option<(ConvexHull, bool)> {
    let first = *points.first()?;
    let (low, high) = points.iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
    let middle = 0.5 * (low + high);
    let size = points.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max);
    let clusters = Clusters::new(points);
    let hull = subset(&clusters, tolerance * size)?;
    // Points that are outside by more than rounding.
    let mut outside = Vec::new();
    for face in &hull.faces {
        let base = face.normal.dot(&hull.center) + face.offset;
        clusters.visit_beyond(&face.normal, base + 2.0 * FLAT * size, &mut |p| outside.push(*p));
    }
    if outside.is_empty() {
        return Some((hull, true));
    }
    outside.extend(hull.vertices());
    let near = distinct(&outside);
    let exact = (near.len() <= POINTS_PER_CORNER * corners).then(|| ConvexHull::new(&near).ok()).flatten();
    let exact = exact.filter(|exact| exact.vertices.len() <= corners);
    Some(exact.map_or((hull, false), |exact| (exact, true)))
}

/// The hull of some of these points, with none of the others farther than `distance` outside.
fn subset(points: &Clusters, distance: f64) -> Option<ConvexHull> {
    let mut kept: Vec<Vector3<f64>> = Vec::new();
    for x in -1..=1 {
        for y in -1..=1 {
            for z in -1..=1 {
                let n = Vector3::new(x, y, z).map(f64::from);
                kept.extend(points.farthest(&n, f64::NEG_INFINITY));
            }
        }
    }
    for _ in 0..MAX_ROUNDS {
        let hull = ConvexHull::new(&kept).ok()?;
        kept = distinct(&kept);
        let before = kept.len();
        for face in &hull.faces {
            let base = face.normal.dot(&hull.center) + face.offset;
            // A corner that is kept and still outside was merged into a face: no improvement is possible.
            let farthest = points.farthest(&face.normal, base + distance);
            kept.extend(farthest.filter(|p| !kept[..before].contains(p)));
        }
        if kept.len() == before {
            return Some(hull);
        }
    }
    None
}
