//! Shapes and where they touch.
//!
//! [`touches`] is a pure function of the two shapes and their poses: the same arguments give the same bits,
//! whatever was asked before. That is what an error-controlled integrator needs, and why no contact cache,
//! warm start or previous manifold appears anywhere below this module.
//!
//! How a pair is solved (all our shapes but the half-space are bounded and convex):
//! 1. [`normal`] finds the unit direction n that minimizes the support overlap
//!    `D(n) = h_A(n) + h_B(-n)`: the minimal translation direction for overlaps, the direction of the
//!    shortest distance for gaps. `D` is the depth (negative: the gap).
//! 2. [`manifold`] intersects the touching features (face, cap, side, segment, point) along n.
//! 3. `Deepest` is the mean of the points that tie for the greatest depth.
//!
//! Half-spaces have no such direction to find and stand apart in [`plane`]; balls mostly need no search at all
//! ([`ball`]).

mod aabb;
mod any_normal;
mod ball;
pub mod broad_phase;
mod cylinder_normal;
mod direction;
mod feature;
mod hull;
mod hull_normal;
#[cfg(test)]
mod hull_tests;
pub mod hydroelastic;
mod manifold;
mod neighbours;
mod normal;
mod parry;
mod plane;
mod root;
mod shape;
mod shares;
mod solid;
#[cfg(test)]
mod tests;
mod touch;

pub use aabb::{Aabb, aabb};
pub use hull::{ConvexHull, HullError};
pub use neighbours::Neighbours;
pub use shape::Shape;
pub use touch::{Points, Touch};

use manifold::Contacts;
use nalgebra::Isometry3;
use solid::Solid;

/// Appends to `out` the points where A and B overlap or stand less than `margin` \[m\] apart (`depth > -margin`).
///
/// Two half-spaces never touch. Poses that are not finite give nothing.
pub fn touches(
    a: &Shape,
    X_WA: &Isometry3<f64>,
    b: &Shape,
    X_WB: &Isometry3<f64>,
    points: Points,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    match ball::touch(a, X_WA, b, X_WB, points, margin) {
        ball::BallContact::Apart => return,
        ball::BallContact::Touching(touch) => return out.push(touch),
        ball::BallContact::Unknown => {}
    }
    let start = out.len();
    let mut contacts = Contacts::new(margin);
    match (a, b) {
        (Shape::HalfSpace, Shape::HalfSpace) => return,
        (Shape::HalfSpace, Shape::Convex(hull)) => plane::hull_touches(X_WA, hull, X_WB, points, margin, out),
        (Shape::Convex(hull), Shape::HalfSpace) => {
            plane::hull_touches(X_WB, hull, X_WA, points, margin, out);
            out[start..].iter_mut().for_each(|touch| touch.normal = -touch.normal);
        }
        (Shape::HalfSpace, _) => {
            plane::touches(X_WA, b, X_WB, &mut contacts);
            contacts.append(points, &Isometry3::identity(), out);
        }
        (_, Shape::HalfSpace) => {
            plane::touches(X_WB, a, X_WA, &mut contacts);
            contacts.append(points, &Isometry3::identity(), out);
            for touch in &mut out[start..] {
                touch.normal = -touch.normal;
            }
        }
        _ => {
            // Everything is computed in the frame of A: far from the world's origin nothing is lost.
            let X_AB = X_WA.inv_mul(X_WB);
            if let (Some(a), Some(b)) = (Solid::new(a, &Isometry3::identity()), Solid::new(b, &X_AB)) {
                manifold::touches(&a, &b, &mut contacts);
                contacts.append(points, X_WA, out);
            }
        }
    }
    // Non-finite poses end here; everything else is finite by construction.
    let mut kept = start;
    for i in start..out.len() {
        if out[i].depth.is_finite() && out[i].p_WC.iter().chain(out[i].normal.iter()).all(|x| x.is_finite()) {
            out.swap(kept, i);
            kept += 1;
        }
    }
    out.truncate(kept);
}
