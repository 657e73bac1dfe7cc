//! The direction of contact of two bounded solids, and their depth along it.
//!
//! For overlapping solids the depth is `min over unit n of D(n)`, `D(n) = h_A(n) + h_B(-n)`; for separated ones the
//! same minimum is minus the distance. Written out pair by pair:
//! * **round against anything**: the segment of the round solid against the other; minus the radius.
//! * **segment, box** overlapping: `A - B` is a zonotope (a sum of segments), whose faces are spanned by pairs of its
//!   generators, so the minimum is over the finite set of their cross products.
//! * **segment against a convex solid, apart**: the squared distance of a point of the segment is convex in its
//!   parameter; the root of its monotone derivative is bracketed and found to machine precision.
//! * **box, box**: see [`box_box`](super::box_box).
//! * **a hull with a box or a hull**, or with a segment: see [`hull_normal`](super::hull_normal).
//! * **an ellipsoid, a cone or a shape of a program with anything**: see [`curved`](super::curved).
//! * **a cylinder with a box, a hull or a cylinder**: see [`cylinder_normal`](super::cylinder_normal).

use super::any_normal::any_normal;
use super::box_box;
use super::curved;
use super::cylinder_normal;
use super::direction::{LeastOverlap, TOUCHING, nearest_on_segment, segment_segment};
use super::hull_normal;
use super::shapes::Capsule;
use super::solid::{Kind, Solid};
use nalgebra::Vector3;

/// Unit normal from A into B and the depth, or `None` if the gap is at least `margin`.
pub(super) fn contact_normal(a: &Solid, b: &Solid, margin: f64) -> Option<(Vector3<f64>, f64)> {
    use Kind::{Box, Cone, Custom, Cylinder, Ellipsoid, Hull, Round};
    let found = match (a.kind, b.kind) {
        (Round(Capsule { radius: ra, half_length: la }), Round(Capsule { radius: rb, half_length: lb })) => {
            let (pa, pb) = segment_segment(&a.center, &(a.axis() * la), &b.center, &(b.axis() * lb));
            let d = pb - pa;
            let distance = d.norm();
            let n = if distance > TOUCHING * (ra + rb) { d / distance } else { between_crossing(a, la, b, lb) };
            Some((n, ra + rb - d.dot(&n)))
        }
        (Round(Capsule { radius, half_length }), Custom(_)) => {
            curved::find(&segment(a, half_length), b, margin + radius).map(|(n, depth)| (n, depth + radius))
        }
        (Custom(_), Round(Capsule { radius, half_length })) => {
            curved::find(a, &segment(b, half_length), margin + radius).map(|(n, depth)| (n, depth + radius))
        }
        (Round(Capsule { radius, half_length }), _) => {
            round_solid(a, half_length, b, margin + radius).map(|(n, depth)| (n, depth + radius))
        }
        (_, Round(Capsule { radius, half_length })) => {
            round_solid(b, half_length, a, margin + radius).map(|(n, depth)| (-n, depth + radius))
        }
        (Box(of_a), Box(of_b)) => box_box::find(a, &of_a, b, &of_b, margin),
        (Ellipsoid(_) | Cone(_) | Custom(_), _) | (_, Ellipsoid(_) | Cone(_) | Custom(_)) => curved::find(a, b, margin),
        (Cylinder(_), _) | (_, Cylinder(_)) => cylinder_normal::find(a, b, margin),
        (Hull(_), _) | (_, Hull(_)) => hull_normal::find(a, b, margin),
    };
    found.filter(|(n, depth)| *depth > -margin && n.iter().all(|x| x.is_finite()))
}

/// A direction for round solids whose segments cross (or whose centres coincide): normal to both, +z if that is not
/// unique.
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

/// The segment of a round solid.
fn segment<'a>(round: &Solid<'a>, half_length: f64) -> Solid<'a> {
    round.with(Kind::Round(Capsule { radius: 0.0, half_length }))
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
    let core = segment(round, half_length);
    if distance > TOUCHING * (round.size() + solid.size()) {
        return Some((d / distance, -distance));
    }
    match solid.kind {
        Kind::Cylinder(cylinder) if half_length == 0.0 => {
            Some(point_cylinder(&core, solid, cylinder.radius, cylinder.half_length))
        }
        Kind::Cylinder(_) => cylinder_normal::find(&core, solid, margin),
        Kind::Hull(_) => hull_normal::find(&core, solid, margin),
        Kind::Ellipsoid(_) | Kind::Cone(_) => curved::find(&core, solid, margin),
        _ => least_overlap(&core, solid),
    }
}

/// Direction and depth of a point inside a cylinder: out through the nearer of cap and side.
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

/// Least overlap of two zonotopes.
fn least_overlap(a: &Solid, b: &Solid) -> Option<(Vector3<f64>, f64)> {
    let mut least = LeastOverlap::new(a, b);
    least.offer_faces();
    least.best
}
