//! The direction of contact of two boxes.
//!
//! For boxes that overlap, the depth is the least over fifteen axes: three face normals each, and the cross products of
//! their edges [Gottschalk, Lin, Manocha 1996, "OBBTree", separating axes]. In the axes of the boxes, with
//! `c_ij = a_i·b_j` and `d` from one centre to the other, the reach of the boxes along `a_i × b_j` is a sum of four
//! products [Ericson 2004, Real-Time Collision Detection, 4.4.1], and the length of the axis is `sqrt(1 - c_ij²)`.
//! These depths choose the axis; its own direction and depth are computed by [`LeastOverlap`].
//!
//! For boxes apart, the nearest features contain an edge of one of them: all 24 edges are tested against the other box.

use super::direction::{LeastOverlap, TOUCHING, for_each_nearest};
use super::shapes::Cuboid;
use super::solid::Solid;
use nalgebra::Vector3;

/// Squared sine of the angle between edges below which the short formula for the depth along both loses digits.
const NEARLY_PARALLEL: f64 = 1e-2;

/// Unit normal from A into B and the depth; `None` if the gap is at least `margin`.
pub(super) fn find(a: &Solid, of_a: &Cuboid, b: &Solid, of_b: &Cuboid, margin: f64) -> Option<(Vector3<f64>, f64)> {
    let (n, depth) = least_overlap(a, of_a, b, of_b)?;
    let size = a.size() + b.size();
    // A separating axis bounds the distance from below.
    if depth >= -TOUCHING * size || depth <= -margin {
        return Some((n, depth));
    }
    let mut best: Option<(f64, Vector3<f64>)> = None;
    for_each_nearest(a, b, (n, depth), margin, |d| {
        let distance = d.norm();
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, d));
        }
    });
    // Nothing nearer than the margin.
    let (distance, d) = best?;
    // The axis is exact where it applies; the difference of two near points loses digits.
    if distance <= -depth + 1e-12 * size { Some((n, depth)) } else { Some((d / distance, -distance)) }
}

/// The axis of least overlap: faces before edges, those of A before those of B, the first of equally good ones.
pub fn least_overlap(a: &Solid, of_a: &Cuboid, b: &Solid, of_b: &Cuboid) -> Option<(Vector3<f64>, f64)> {
    let (u, v) = (&a.axes, &b.axes);
    let (h, k) = (&of_a.half_extents, &of_b.half_extents);
    let d = b.center - a.center;
    let (along_a, along_b) = (u.map(|u| u.dot(&d)), v.map(|v| v.dot(&d)));
    let c = u.map(|u| v.map(|v| u.dot(&v)));
    let mut best = Best::new(1e-13 * (a.size() + b.size()));
    for i in 0..3 {
        let reach = h[i] + k[0] * c[i][0].abs() + k[1] * c[i][1].abs() + k[2] * c[i][2].abs();
        best.offer(reach - along_a[i].abs(), || u[i]);
    }
    for j in 0..3 {
        let reach = k[j] + h[0] * c[0][j].abs() + h[1] * c[1][j].abs() + h[2] * c[2][j].abs();
        best.offer(reach - along_b[j].abs(), || v[j]);
    }
    for i in 0..3 {
        let (p, q) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (r, s) = ((j + 1) % 3, (j + 2) % 3);
            let squared = 1.0 - c[i][j] * c[i][j];
            if squared > NEARLY_PARALLEL {
                let reach = h[p] * c[q][j].abs() + h[q] * c[p][j].abs() + k[r] * c[i][s].abs() + k[s] * c[i][r].abs();
                let apart = (along_a[q] * c[p][j] - along_a[p] * c[q][j]).abs();
                best.offer((reach - apart) / squared.sqrt(), || u[i].cross(&v[j]).normalize());
            } else if let n = u[i].cross(&v[j])
                && n.norm_squared() > 1e-12
            {
                // The face normals are as good if edges are parallel to rounding.
                let n = n.normalize();
                best.offer(a.reach(&n) + b.reach(&n) - d.dot(&n).abs(), || n);
            }
        }
    }
    let mut least = LeastOverlap::new(a, b);
    least.offer(best.axis?);
    least.best
}

/// The best axis of those tried; a later one must be better by more than rounding.
struct Best {
    depth: f64,
    slack: f64,
    axis: Option<Vector3<f64>>,
}

impl Best {
    fn new(slack: f64) -> Self {
        Best { depth: f64::INFINITY, slack, axis: None }
    }

    fn offer(&mut self, depth: f64, axis: impl FnOnce() -> Vector3<f64>) {
        if depth.is_finite() && (self.axis.is_none() || depth < self.depth - self.slack) {
            (self.depth, self.axis) = (depth, Some(axis()));
        }
    }
}
