//! The direction of contact where a cylinder meets a box, a cylinder or a segment.
//!
//! `D(n) = c_1 |n·g_1| + c_2 |n·g_2| + … + r |n×a| + … - d·n` with generators g (edges, axes) is smooth except
//! where n is normal to a generator, and along a cylinder's axis. A minimum is therefore either
//! * a face: normal to two generators, or along an axis; a finite list;
//! * on the circle normal to one generator (an edge or a side against a rim): one-dimensional;
//! * in the smooth part (rim against rim; rim against corner in a gap): two-dimensional.
//!
//! GJK and EPA give the start. Their answer is never taken as it is: whatever n they return, D(n) is an upper bound of
//! the depth, and the least of all candidates after a local search is the result. Where they fail, the search starts
//! from the faces and the line of centres.

use super::normal::Least;
use super::parry;
use super::solid::{Kind, Solid, any_normal, overlap};
use nalgebra::Vector3;

pub(super) fn find(a: &Solid, b: &Solid, margin: f64) -> Option<(Vector3<f64>, f64)> {
    let mut least = Least::new(a, b);
    least.offer_faces();
    if least.best.is_some_and(|(_, depth)| depth <= -margin) {
        return None;
    }
    match parry::direction(a, b, margin) {
        Some(n) => improve(a, b, n, 1e-3, &mut least),
        None => {
            let (n, _) = least.best?;
            improve(a, b, n, 0.3, &mut least);
            if let Some(n) = (b.center - a.center).try_normalize(0.0) {
                improve(a, b, n, 0.3, &mut least);
            }
        }
    }
    least.best
}

/// Offers `start`, the best direction near it on each circle normal to a generator, and the best near it at all.
fn improve(a: &Solid, b: &Solid, start: Vector3<f64>, reach: f64, least: &mut Least) {
    for solid in [a, b] {
        let edges: &[Vector3<f64>] = if matches!(solid.kind, Kind::Box(_)) { &solid.axes } else { &solid.axes[2..] };
        for g in edges {
            if start.dot(g).abs() < reach {
                if let Some(n) = (start - g * start.dot(g)).try_normalize(0.5) {
                    least.offer(search(a, b, n, [g.cross(&n), Vector3::zeros()], reach));
                }
            }
        }
    }
    let u = any_normal(&start);
    least.offer(search(a, b, start, [u, start.cross(&u)], reach));
}

/// Compass search on the sphere along two tangents (one of them may be zero): step to the better side, or halve.
fn search(a: &Solid, b: &Solid, start: Vector3<f64>, tangents: [Vector3<f64>; 2], reach: f64) -> Vector3<f64> {
    let (mut n, mut depth) = (start, overlap(a, b, &start));
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
                let value = overlap(a, b, &next);
                if value < depth {
                    (n, depth) = (next, value);
                    moved = true;
                    break;
                }
            }
        }
        if !moved {
            step *= 0.4;
        }
    }
    n
}
