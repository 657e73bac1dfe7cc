//! The direction of contact where a cylinder meets a box, a hull, a cylinder or a segment.
//!
//! `D(n) = c_1 |n·g_1| + c_2 |n·g_2| + … + r |n×a| + … - d·n` with generators g (edges, axes) is smooth except
//! where n is normal to a generator, and along a cylinder's axis. A minimum is therefore either
//! * a face: normal to two generators, or along an axis; a finite list;
//! * on the circle normal to one generator (an edge or a side against a rim): one-dimensional;
//! * in the smooth part (rim against rim; rim against corner in a gap): two-dimensional.
//!
//! For a gap, D is a convex function on the cone where it is negative, so its minimum is the only one, and a direction
//! is right if it comes from a nearest pair of features: a straight part (edge of a box, axis of a cylinder) against
//! the other solid, a face, or two rims. For an overlap there may be many minima: EPA gives the start. Its result is
//! never used as it is: D(n) of any n is an upper bound of the depth, and the least of all candidates after a local
//! search is the result. At touching, EPA fails or returns a depth that is not D of its own direction; then the circles
//! are searched as a whole, and B is moved out along the best direction so far, to start from the gap.
//!
//! A hull is no sum of segments: it contributes its face normals, and the arcs of directions (from the normal of one of
//! its faces to that of a neighbour) in which one of its edges is farthest.

use super::ConvexHull;
use super::any_normal::any_normal;
use super::cap::Caps;
use super::direction::{LeastOverlap, for_each_nearest};
use super::hull_normal;
use super::parry::{self, GjkAnswer};
use super::root::crossing;
use super::solid::{Kind, Solid, overlap};
use nalgebra::Vector3;

pub(super) fn find(a: &Solid, b: &Solid, margin: f64) -> Option<(Vector3<f64>, f64)> {
    let mut least = LeastOverlap::new(a, b);
    if a.is_symmetric() && b.is_symmetric() {
        least.offer_faces();
    } else {
        least.best = hull_normal::best_axis(a, b, margin);
        least.best?;
    }
    if least.best.is_some_and(|(_, depth)| depth <= -margin) {
        return None;
    }
    let size = a.size() + b.size();
    match parry::direction(a, b, margin) {
        GjkAnswer::Beyond => return None,
        GjkAnswer::Found(n, depth) if depth >= 0.0 && (overlap(a, b, &n) - depth).abs() < 1e-6 * size => {
            improve(a, b, n, &mut least);
            return least.best;
        }
        GjkAnswer::Found(n, depth) if depth < 0.0 => {
            // Directions between features are exact to rounding and the search is not (D is flat at its minimum): they
            // go first, and the search wins only if its overlap is less by more than rounding.
            offer_nearest(a, b, margin, &mut least);
            improve(a, b, n, &mut least);
        }
        _ => offer_nearest(a, b, margin, &mut least),
    }
    if least.best.is_none_or(|(_, depth)| depth > -1e-9 * size) {
        search_circles(a, b, &mut least);
        for pull in [1e-4, 1e-2] {
            let Some((n, depth)) = least.best else { break };
            let moved = b.moved(n * (depth + pull * size));
            let mut apart = LeastOverlap::new(a, &moved);
            apart.offer(n);
            offer_nearest(a, &moved, size, &mut apart);
            if let Some((n, _)) = apart.best {
                improve(a, b, n, &mut least);
            }
        }
    }
    least.best
}

/// Offers the directions between nearest features of two solids that are apart.
pub(super) fn offer_nearest(a: &Solid, b: &Solid, margin: f64, least: &mut LeastOverlap) {
    let Some(bound) = least.best else { return };
    for_each_nearest(a, b, bound, margin, |d| {
        if let Some(n) = d.try_normalize(1e-12 * (a.size() + b.size())) {
            least.offer(n);
        }
    });
    if let (Kind::Cylinder(_), Kind::Cylinder(_)) = (a.kind, b.kind) {
        // Two rims: alternating projections come near enough for the search.
        let mut p = b.center;
        let mut d = Vector3::zeros();
        for _ in 0..30 {
            let q = b.nearest(&p);
            p = a.nearest(&q);
            d = q - p;
        }
        if let Some(n) = d.try_normalize(1e-12 * (a.size() + b.size())) {
            let u = any_normal(&n);
            least.offer(search(&Caps::new(a, b, n, 0.0), n, [u, n.cross(&u)], 0.1));
        }
    }
}

/// Visits the unit vectors along which a solid has straight edges that `n` is nearly normal to. For a hull, only edges
/// that are nearly farthest along `n`.
fn edges_facing(solid: &Solid, n: &Vector3<f64>, mut visit: impl FnMut(Vector3<f64>)) {
    let mut offer = |g: Vector3<f64>| {
        if n.dot(&g).abs() < MAX_TURN {
            visit(g);
        }
    };
    solid.straight().iter().for_each(|g| offer(*g));
    if let Kind::Hull(hull) = solid.kind {
        let m = solid.turned(n);
        let least = hull.reach(&m) - MAX_TURN * hull.radius;
        let near = |v: u32| hull.corners()[v as usize].dot(&m) >= least;
        hull.edges.iter().filter(|e| e.ends.iter().all(|&v| near(v))).for_each(|e| offer(solid.unturned(&e.along)));
    }
}

/// Offers the best direction on each circle normal to an edge, wherever it is.
pub(super) fn search_circles(a: &Solid, b: &Solid, least: &mut LeastOverlap) {
    const SAMPLES: usize = 24;
    let step = std::f64::consts::PI / SAMPLES as f64;
    // Half a circle is enough if only the one of n and -n towards B is meant.
    let symmetric = a.is_symmetric() && b.is_symmetric();
    let samples = if symmetric { SAMPLES } else { 2 * SAMPLES };
    let mut circle = |g: &Vector3<f64>| {
        let u = any_normal(g);
        let v = g.cross(&u);
        let sample = |i: usize| {
            let (s, c) = (i as f64 * step).sin_cos();
            let n = u * c + v * s;
            if symmetric && (b.center - a.center).dot(&n) < 0.0 { -n } else { n }
        };
        let best = (0..samples).map(sample).min_by(|m, n| overlap(a, b, m).total_cmp(&overlap(a, b, n)));
        if let Some(n) = best {
            search_circle(&Caps::new(a, b, n, 0.0), n, g, step, least);
        }
    };
    for solid in [a, b] {
        solid.straight().iter().for_each(&mut circle);
    }
    for (solid, sign) in [(a, 1.0), (b, -1.0)] {
        if let Kind::Hull(hull) = solid.kind {
            search_arcs(a, b, solid, hull, sign, step, least);
        }
    }
}

/// Offers the best direction in which an edge of the hull `solid` is farthest; `sign` is -1 if it is B.
fn search_arcs(a: &Solid, b: &Solid, solid: &Solid, hull: &ConvexHull, sign: f64, step: f64, least: &mut LeastOverlap) {
    let mut best: Option<(f64, Vector3<f64>, Vector3<f64>)> = None;
    for edge in &hull.edges {
        let [m, n] = edge.faces.map(|f| hull.faces[f as usize].normal);
        let parts = (m.angle(&n) / step).ceil().max(1.0) as usize;
        for i in 0..=parts {
            let t = i as f64 / parts as f64;
            let Some(n) = (m * (1.0 - t) + n * t).try_normalize(1e-6) else { continue };
            let n = solid.unturned(&n) * sign;
            let depth = overlap(a, b, &n);
            if best.is_none_or(|(least, ..)| depth < least) {
                best = Some((depth, n, solid.unturned(&edge.along)));
            }
        }
    }
    if let Some((_, n, g)) = best {
        search_circle(&Caps::new(a, b, n, 0.0), n, &g, step, least);
    }
}

/// Angle below which directions are equal \[rad\]: the search ends within some 1e-9 of its minimum.
const ANGLE_TOLERANCE: f64 = 1e-8;
/// Largest improvement of a direction from its start \[rad\].
const MAX_TURN: f64 = 1e-3;

/// Offers `start`, the best direction near it on each circle normal to a generator, and the best direction near it.
pub(super) fn improve(a: &Solid, b: &Solid, start: Vector3<f64>, least: &mut LeastOverlap) {
    // Searches wander by a few times their first step.
    let caps = Caps::new(a, b, start, 4.0 * MAX_TURN);
    for solid in [a, b] {
        edges_facing(solid, &start, |g| {
            if let Some(n) = (start - g * start.dot(&g)).try_normalize(0.5) {
                search_circle(&caps, n, &g, MAX_TURN, least);
            }
        });
    }
    let u = any_normal(&start);
    least.offer(search(&caps, start, [u, start.cross(&u)], MAX_TURN));
}

/// Offers the best direction near `start` on the circle normal to `g`: a search, then the root of the derivative
/// `dD/dθ = (s_A(n) - s_B(-n))·(g×n)`, which the value of D alone gives to half the digits only.
///
/// The root is not searched for where it cannot be better than the best so far: D changes by no more than the size of
/// the solids times the angle. If the search ends at the best direction so far, nothing better is found either: D is
/// flat there, or it has a kink, which for symmetric solids is that of a face and was offered first. (At a kink the
/// derivative jumps, and locating it takes as many steps as a number has digits.)
fn search_circle(caps: &Caps, start: Vector3<f64>, g: &Vector3<f64>, reach: f64, least: &mut LeastOverlap) {
    const BRACKET: f64 = 1e-6;
    let (a, b) = (caps.a, caps.b);
    let n = search(caps, start, [g.cross(&start), Vector3::zeros()], reach);
    let (size, depth) = (a.size() + b.size(), caps.overlap(&n));
    if let Some((best, least)) = least.best {
        let is_same =
            a.is_symmetric() && b.is_symmetric() && (n - best).norm_squared() < ANGLE_TOLERANCE * ANGLE_TOLERANCE;
        if (is_same && least <= depth) || least < depth - BRACKET * size {
            return;
        }
    }
    let t = g.cross(&n);
    let at = |s: f64| {
        let (sin, cos) = (BRACKET * s).sin_cos();
        n * cos + t * sin
    };
    let caps = Caps::new(a, b, n, 2.0 * BRACKET);
    let slope = |s: f64| {
        let m = at(s);
        caps.between(&m).dot(&g.cross(&m))
    };
    let root = at(crossing(slope, 1e-16 * size));
    least.offer(if caps.overlap(&root) <= depth + 1e-15 * size { root } else { n });
}

/// Compass search on the sphere along two tangents (one of them may be zero): step to the better side, or halve.
fn search(caps: &Caps, start: Vector3<f64>, tangents: [Vector3<f64>; 2], reach: f64) -> Vector3<f64> {
    let (mut n, mut depth) = (start, caps.overlap(&start));
    let mut step = reach;
    // D is quadratic about a smooth minimum: 1e-9 rad away it is exact to rounding.
    for _ in 0..200 {
        if step < 1e-9 {
            break;
        }
        let mut moved = false;
        for t in tangents {
            if t.norm_squared() == 0.0 {
                continue;
            }
            for s in [step, -step] {
                let Some(next) = (n + t * s).try_normalize(0.0) else { continue };
                let value = caps.overlap(&next);
                if value < depth {
                    (n, depth) = (next, value);
                    moved = true;
                    break;
                }
            }
        }
        if !moved {
            step *= 0.1;
        }
    }
    n
}
