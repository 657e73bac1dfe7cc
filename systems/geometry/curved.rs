//! Ellipsoids, cones and shapes of programs: the direction of contact of pairs with one of them.
//!
//! The direction of contact minimizes the support overlap `D(n) = h_A(n) + h_B(-n)`. Candidates are the normals of all
//! flat sides, which are exact where they apply, and the results of GJK and EPA, improved as for cylinders. If both
//! shapes are smooth about that, dD/dn = s_A(n) - s_B(-n) with the support points s is parallel to n at the minimum: a
//! few Newton steps find that to rounding, while the value of D alone gives half the digits.

use super::any_normal::any_normal;
use super::cylinder_normal::{improve, offer_nearest, search_circles};
use super::direction::LeastOverlap;
use super::parry::{self, GjkAnswer};
use super::solid::{Kind, Solid, overlap, support};
use nalgebra::{Matrix2, Vector2, Vector3};

/// Direction from A into B and depth of two solids, one of them an ellipsoid, a cone or a shape of a program.
pub(super) fn find(a: &Solid, b: &Solid, margin: f64) -> Option<(Vector3<f64>, f64)> {
    let size = a.size() + b.size();
    let mut least = LeastOverlap::new(a, b);
    flat_sides(a, |n| least.offer(n));
    flat_sides(b, |n| least.offer(-n));
    if let Some(n) = (b.center - a.center).try_normalize(1e-12 * size) {
        least.offer(n);
    }
    if least.best.is_none() {
        least.offer(Vector3::z());
    }
    if least.best.is_some_and(|(_, depth)| depth <= -margin) {
        return None;
    }
    match parry::direction(a, b, margin) {
        GjkAnswer::Beyond => return None,
        GjkAnswer::Found(n, depth) if (overlap(a, b, &n) - depth).abs() < 1e-6 * size => {
            // Nearest points of a shape of a program are known from GJK only.
            if depth < 0.0 && !is_custom(a) && !is_custom(b) {
                offer_nearest(a, b, margin, &mut least);
            }
            improve(a, b, n, &mut least);
        }
        _ => {
            let (start, _) = least.best?;
            improve(a, b, start, &mut least);
            search_circles(a, b, &mut least);
            for pull in [1e-4, 1e-2] {
                let (n, depth) = least.best?;
                let moved = b.moved(n * (depth + pull * size));
                if let GjkAnswer::Found(n, _) = parry::direction(a, &moved, size) {
                    improve(a, b, n, &mut least);
                }
            }
        }
    }
    let (n, depth) = least.best?;
    let n = stationary(a, b, n, depth, size);
    Some((n, overlap(a, b, &n)))
}

fn is_custom(solid: &Solid) -> bool {
    matches!(solid.kind, Kind::Custom(_))
}

/// Visits the outward normals of the flat sides of a solid.
fn flat_sides(solid: &Solid, mut visit: impl FnMut(Vector3<f64>)) {
    solid.flat().iter().for_each(|n| [*n, -n].into_iter().for_each(&mut visit));
    match solid.kind {
        Kind::Cone(_) => visit(-solid.axis()),
        Kind::Hull(hull) => hull.faces.iter().for_each(|face| visit(solid.unturned(&face.normal))),
        _ => {}
    }
}

/// The smooth minimum near a direction; the direction itself if there is none near.
fn stationary(a: &Solid, b: &Solid, start: Vector3<f64>, depth: f64, size: f64) -> Vector3<f64> {
    const STEP: f64 = 1e-6;
    let u = any_normal(&start);
    let v = start.cross(&u);
    let at = |x: &Vector2<f64>| (start + u * x.x + v * x.y).normalize();
    // Along the tangents at the direction; to second order both are as long as those at the start.
    let slope = |x: &Vector2<f64>| {
        let n = at(x);
        let way = support(a, &n) - support(b, &-n);
        let across = way - n * n.dot(&way);
        Vector2::new(across.dot(&u), across.dot(&v))
    };
    let mut x = Vector2::zeros();
    let mut rest = slope(&x);
    for _ in 0..4 {
        let columns =
            [Vector2::x(), Vector2::y()].map(|e| (slope(&(x + e * STEP)) - slope(&(x - e * STEP))) / (2.0 * STEP));
        let Some(inverse) = Matrix2::from_columns(&columns).try_inverse() else { break };
        let next = x - inverse * rest;
        let left = slope(&next);
        if !(next.norm() < 1e-3 && left.norm() < 0.5 * rest.norm()) {
            break;
        }
        (x, rest) = (next, left);
    }
    let found = at(&x);
    if rest.norm() < 1e-6 * size && overlap(a, b, &found) <= depth + 1e-14 * size { found } else { start }
}
