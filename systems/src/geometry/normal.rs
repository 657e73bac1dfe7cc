//! The direction of contact of two bounded solids, and their depth along it.
//!
//! For overlapping solids the depth is `min over unit n of D(n)`, `D(n) = h_A(n) + h_B(-n)`; for separated ones the
//! same minimum is minus the distance. Written out pair by pair:
//! * **round against anything**: the segment of the round solid against the other; minus the radius.
//! * **box, box** and **segment, box** overlapping: `A - B` is a zonotope (a sum of segments), whose faces are
//!   spanned by pairs of its generators, so the minimum is over the finite set of their cross products
//!   [Gottschalk, Lin, Manocha 1996, "OBBTree", separating axes].
//! * **segment against a convex solid, apart**: the squared distance of a point of the segment is convex in its
//!   parameter; the root of its monotone derivative is bracketed and found to machine precision.
//! * **box, box apart**: the nearest features contain an edge of one of them: all 24 edges against the other box.
//! * **a hull with a box or a hull**, or with a segment that it holds: see [`hull_normal`](super::hull_normal).
//! * **a cylinder with a box, a hull or a cylinder**: see [`cylinder_normal`](super::cylinder_normal).

use super::cylinder_normal;
use super::hull_normal;
use super::root::crossing;
use super::solid::{Kind, Solid, any_normal, clamp, overlap};
use nalgebra::Vector3;

/// Relative to the size of the pair: distances below this give no reliable direction by themselves.
pub(super) const TOUCHING: f64 = 1e-9;

/// Unit normal from A into B and the depth, or `None` if the gap is at least `margin`.
pub(super) fn contact_normal(a: &Solid, b: &Solid, margin: f64) -> Option<(Vector3<f64>, f64)> {
    use Kind::{Box, Cylinder, Hull, Round};
    let found = match (a.kind, b.kind) {
        (Round { radius: ra, half_length: la }, Round { radius: rb, half_length: lb }) => {
            let (pa, pb) = segment_segment(&a.center, &(a.axis() * la), &b.center, &(b.axis() * lb));
            let d = pb - pa;
            let distance = d.norm();
            let n = if distance > TOUCHING * (ra + rb) { d / distance } else { between_crossing(a, la, b, lb) };
            Some((n, ra + rb - d.dot(&n)))
        }
        (Round { radius, half_length }, _) => {
            round_solid(a, half_length, b, margin + radius).map(|(n, depth)| (n, depth + radius))
        }
        (_, Round { radius, half_length }) => {
            round_solid(b, half_length, a, margin + radius).map(|(n, depth)| (-n, depth + radius))
        }
        (Box(_), Box(_)) => box_box(a, b, margin),
        (Cylinder { .. }, _) | (_, Cylinder { .. }) => cylinder_normal::find(a, b, margin),
        (Hull(_), _) | (_, Hull(_)) => hull_normal::find(a, b, margin),
    };
    found.filter(|(n, depth)| *depth > -margin && n.iter().all(|x| x.is_finite()))
}

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

/// A direction for round solids whose segments cross (or whose centres coincide): normal to both, +z if there is a
/// choice.
fn between_crossing(a: &Solid, la: f64, b: &Solid, lb: f64) -> Vector3<f64> {
    let (u, v) = (a.axis() * la, b.axis() * lb);
    let c = b.center - a.center;
    let along = |n: Vector3<f64>| if c.dot(&n) < 0.0 { -n } else { n };
    let cross = u.cross(&v);
    if cross.norm() > 1e-9 * u.norm() * v.norm() && cross.norm() > 0.0 {
        return along(cross.normalize());
    }
    let axis = if la >= lb { u } else { v };
    let z = match axis.try_normalize(0.0) {
        None => Vector3::z(),
        Some(e) => {
            let up = Vector3::z() - e * e.z;
            up.try_normalize(1e-3).unwrap_or_else(|| any_normal(&e))
        }
    };
    along(z)
}

/// The segment of `round` against a box, a cylinder or a hull: direction from the round solid into the other.
fn round_solid(round: &Solid, half_length: f64, solid: &Solid, margin: f64) -> Option<(Vector3<f64>, f64)> {
    let axis = round.axis();
    let p = nearest_on_segment(&round.center, &(axis * half_length), solid);
    let d = solid.nearest(&p) - p;
    let distance = d.norm();
    if distance >= margin {
        return None;
    }
    let core = Solid { kind: Kind::Round { radius: 0.0, half_length }, ..*round };
    if distance > TOUCHING * (round.size() + solid.size()) {
        return Some((d / distance, -distance));
    }
    match solid.kind {
        Kind::Cylinder { radius, half_length: l } if half_length == 0.0 => {
            Some(point_cylinder(&core, solid, radius, l))
        }
        Kind::Cylinder { .. } => cylinder_normal::find(&core, solid, margin),
        Kind::Hull(_) => hull_normal::find(&core, solid, margin),
        _ => least_overlap(&core, solid),
    }
}

/// A point inside a cylinder: out through the nearer of cap and side.
fn point_cylinder(point: &Solid, cylinder: &Solid, radius: f64, half_length: f64) -> (Vector3<f64>, f64) {
    let q = cylinder.local(&point.center);
    let [x, y, z] = cylinder.axes;
    let rho = q.x.hypot(q.y);
    let (side, cap) = (radius - rho, half_length - q.z.abs());
    if side < cap {
        let outward = if rho > 0.0 { (x * q.x + y * q.y) / rho } else { x };
        (-outward, side)
    } else {
        (-z * 1.0_f64.copysign(q.z), cap)
    }
}

/// A point of the segment `center ± reach` nearest to a convex solid.
fn nearest_on_segment(center: &Vector3<f64>, reach: &Vector3<f64>, solid: &Solid) -> Vector3<f64> {
    let length = reach.norm();
    if length == 0.0 {
        return *center;
    }
    // Derivative of half the squared distance with respect to s; it does not fall.
    let slope = |s: f64| {
        let p = center + reach * s;
        (p - solid.nearest(&p)).dot(reach)
    };
    center + reach * crossing(slope, 1e-16 * length * (length + solid.size()))
}

/// Generators of a zonotope: the edges of a box, the segment of a round solid.
fn generators<'s>(solid: &'s Solid) -> &'s [Vector3<f64>] {
    match solid.kind {
        Kind::Box(_) => &solid.axes,
        Kind::Round { half_length: 0.0, .. } => &[],
        _ => &solid.axes[2..],
    }
}

/// Keeps the direction of least overlap of those tried; a later one must be better by more than rounding.
pub(super) struct Least<'a> {
    a: &'a Solid<'a>,
    b: &'a Solid<'a>,
    symmetric: bool,
    pub best: Option<(Vector3<f64>, f64)>,
    slack: f64,
}

impl<'a> Least<'a> {
    pub fn new(a: &'a Solid<'a>, b: &'a Solid<'a>) -> Self {
        let symmetric = a.is_symmetric() && b.is_symmetric();
        Self { a, b, symmetric, best: None, slack: 1e-13 * (a.size() + b.size()) }
    }

    /// Tries a direction; of two solids that are symmetric, the better of `±n`.
    pub fn offer(&mut self, n: Vector3<f64>) {
        let n = if self.symmetric && (self.b.center - self.a.center).dot(&n) < 0.0 { -n } else { n };
        let depth = overlap(self.a, self.b, &n);
        if depth.is_finite() && self.best.is_none_or(|(_, least)| depth < least - self.slack) {
            self.best = Some((n, depth));
        }
    }

    /// All directions normal to two of the generators of symmetric solids (faces first, so that they win ties).
    pub fn offer_faces(&mut self) {
        for solid in [self.a, self.b] {
            match solid.kind {
                Kind::Box(_) => solid.axes.iter().for_each(|n| self.offer(*n)),
                Kind::Cylinder { .. } => self.offer(solid.axis()),
                Kind::Round { .. } | Kind::Hull(_) => {}
            }
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

/// Least overlap of two zonotopes.
fn least_overlap(a: &Solid, b: &Solid) -> Option<(Vector3<f64>, f64)> {
    let mut least = Least::new(a, b);
    least.offer_faces();
    least.best
}

fn box_box(a: &Solid, b: &Solid, margin: f64) -> Option<(Vector3<f64>, f64)> {
    let (n, depth) = least_overlap(a, b)?;
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
    // The axis is exact where it applies; the difference of two near points is not.
    if distance <= -depth + 1e-12 * size { Some((n, depth)) } else { Some((d / distance, -distance)) }
}

/// From A to B between the nearest points of the straight parts (edges of a box or hull, the axis of the others) of one
/// solid and the other solid.
///
/// `bound` is a direction and the (negative) depth along it, from which the distance of every edge is bounded
/// from below: edges that cannot be nearer than `margin` or the best so far are skipped, all if the bound is reached.
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
        let mut edge = |middle: Vector3<f64>, reach: Vector3<f64>| {
            let gap = sign * (other.center - middle).dot(&n) - reach.dot(&n).abs() - other.reach(&(n * -sign));
            if gap < best && best > reached {
                let d = nearest(&middle, &reach);
                best = best.min(d.norm());
                visit(d);
            }
        };
        match solid.kind {
            Kind::Box(h) => {
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
            Kind::Cylinder { half_length, .. } | Kind::Round { half_length, .. } => {
                visit(nearest(&solid.center, &(solid.axis() * half_length)));
            }
        }
    }
}
