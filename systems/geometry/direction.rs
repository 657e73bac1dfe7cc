//! Candidate directions of contact, from nearest points of segments, edges and faces.

use super::placed::clamp;
use super::root::crossing;
use super::shapes::{Capsule, Cuboid, Cylinder};
use super::solid::{Kind, Solid, overlap};
use nalgebra::Vector3;

/// Distance, relative to the size of the pair, below which nearest points give no reliable direction by themselves.
pub(super) const TOUCHING: f64 = 1e-9;

/// The nearest points of the segments `p ± u` and `q ± v`; the middle of the common length if they are parallel.
pub(super) fn segment_segment(
    p: &Vector3<f64>,
    u: &Vector3<f64>,
    q: &Vector3<f64>,
    v: &Vector3<f64>,
) -> (Vector3<f64>, Vector3<f64>) {
    // Minimize |w + s u - t v|² over the square |s|, |t| <= 1 [Ericson 2004, Real-Time Collision Detection, 5.1.9].
    let w = p - q;
    let (uu, vv, uv, uw, vw) = (u.norm_squared(), v.norm_squared(), u.dot(v), u.dot(&w), v.dot(&w));
    let ratio = |x: f64, y: f64| if y > 0.0 { clamp(x / y, 1.0) } else { 0.0 };
    let determinant = u.cross(v).norm_squared();
    let s = if determinant > 1e-14 * uu * vv {
        clamp((uv * vw - vv * uw) / determinant, 1.0)
    } else if uu > 0.0 && vv > 0.0 {
        // Parallel: the middle of the common interval of s, or the end that faces the other segment.
        let (middle, reach) = (-uw / uu, uv.abs() / uu);
        clamp(0.5 * ((middle - reach).max(-1.0) + (middle + reach).min(1.0)), 1.0)
    } else {
        ratio(-uw, uu)
    };
    let t = ratio(vw + s * uv, vv);
    let s = if t.abs() >= 1.0 || vv == 0.0 { ratio(t * uv - uw, uu) } else { s };
    (p + u * s, q + v * t)
}

/// A point of the segment `center ± reach` nearest to a convex solid.
pub(super) fn nearest_on_segment(center: &Vector3<f64>, reach: &Vector3<f64>, solid: &Solid) -> Vector3<f64> {
    let length = reach.norm();
    if length == 0.0 {
        return *center;
    }
    // Derivative of half the squared distance with respect to s; it is monotone.
    let slope = |s: f64| {
        let p = center + reach * s;
        (p - solid.nearest(&p)).dot(reach)
    };
    center + reach * crossing(slope, 1e-16 * length * (length + solid.size()))
}

/// Generators of a zonotope: the edges of a box, the segment of a round solid.
fn generators<'s>(solid: &'s Solid) -> &'s [Vector3<f64>] {
    if is_point(solid) { &[] } else { solid.straight() }
}

/// True if it is a ball, or the centre of one.
pub(super) fn is_point(solid: &Solid) -> bool {
    matches!(solid.kind, Kind::Round(Capsule { half_length: 0.0, .. }))
}

/// Keeps the direction of least overlap among candidates; a later one must be better by more than rounding.
pub struct LeastOverlap<'a> {
    a: &'a Solid<'a>,
    b: &'a Solid<'a>,
    symmetric: bool,
    /// The direction of least overlap so far, and the overlap \[m\].
    pub best: Option<(Vector3<f64>, f64)>,
    slack: f64,
}

impl<'a> LeastOverlap<'a> {
    /// A search without candidates so far.
    pub fn new(a: &'a Solid<'a>, b: &'a Solid<'a>) -> Self {
        let symmetric = a.is_symmetric() && b.is_symmetric();
        Self { a, b, symmetric, best: None, slack: 1e-13 * (a.size() + b.size()) }
    }

    /// Tries a direction; for two symmetric solids, the better of `±n`.
    pub fn offer(&mut self, n: Vector3<f64>) {
        let n = if self.symmetric && (self.b.center - self.a.center).dot(&n) < 0.0 { -n } else { n };
        let depth = overlap(self.a, self.b, &n);
        if depth.is_finite() && self.best.is_none_or(|(_, least)| depth < least - self.slack) {
            self.best = Some((n, depth));
        }
    }

    /// Offers all directions normal to two of the generators of symmetric solids (faces first, so that they win ties).
    pub fn offer_faces(&mut self) {
        for solid in [self.a, self.b] {
            solid.flat().iter().for_each(|n| self.offer(*n));
        }
        let (a, b) = (self.a, self.b);
        for u in generators(a) {
            for v in generators(b) {
                let n = u.cross(v);
                // Nearly parallel edges: the face normals are as good, and the cross product would be noise.
                if n.norm_squared() > 1e-12 {
                    self.offer(n.normalize());
                }
            }
        }
    }
}

/// Visits the vectors from A to B between nearest points of the straight parts (edges of a box or hull, the axis of the
/// others) of one solid and the other solid.
///
/// `bound` is a direction and the (negative) depth along it, from which the distance of every edge is bounded below.
/// Edges that cannot be nearer than `margin` or the best so far are skipped, and all if the bound is reached.
pub(super) fn for_each_nearest(
    a: &Solid,
    b: &Solid,
    bound: (Vector3<f64>, f64),
    margin: f64,
    mut visit: impl FnMut(Vector3<f64>),
) {
    let (n, depth) = bound;
    let reached = 1e-12 * (a.size() + b.size()) - depth;
    let mut best = margin;
    for (solid, other, sign) in [(a, b, 1.0), (b, a, -1.0)] {
        let nearest = |middle: &Vector3<f64>, reach: &Vector3<f64>| {
            let p = nearest_on_segment(middle, reach, other);
            (other.nearest(&p) - p) * sign
        };
        let back = other.reach(&(n * -sign));
        let mut edge = |middle: Vector3<f64>, reach: Vector3<f64>| {
            let gap = sign * (other.center - middle).dot(&n) - reach.dot(&n).abs() - back;
            if gap < best && best > reached {
                let d = nearest(&middle, &reach);
                best = best.min(d.norm());
                visit(d);
            }
        };
        match solid.kind {
            Kind::Box(Cuboid { half_extents: h }) => {
                for i in 0..12 {
                    let (k, corner) = (i / 4, i % 4);
                    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                    let side_i = solid.axes[i] * (if corner & 1 == 0 { h[i] } else { -h[i] });
                    let side_j = solid.axes[j] * (if corner & 2 == 0 { h[j] } else { -h[j] });
                    edge(solid.center + side_i + side_j, solid.axes[k] * h[k]);
                }
            }
            Kind::Hull(hull) => {
                for e in &hull.edges {
                    let [p, q] = e.ends.map(|v| hull.corners()[v as usize]);
                    edge(solid.unlocal(&((p + q) * 0.5)), solid.unturned(&((q - p) * 0.5)));
                }
            }
            Kind::Ellipsoid(_) | Kind::Cone(_) | Kind::Custom(_) => {}
            Kind::Cylinder(Cylinder { half_length, .. }) | Kind::Round(Capsule { half_length, .. }) => {
                visit(nearest(&solid.center, &(solid.axis() * half_length)));
            }
        }
    }
}
