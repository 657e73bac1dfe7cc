//! Friction arm of a pair that touches at points: the fraction of the way from the centre of pressure to the points at
//! which friction acts.

use kinegraph_core::convex::MAX_NORMAL_DIFFERENCE;
use kinegraph_geometry::{Shape, Touch, spin};
use nalgebra::{Isometry3, Vector3};
use std::cell::Cell;

/// Tolerance of points on the rim of a disc, relative to its radius.
const ON_RIM: f64 = 1e-6;

thread_local! {
    /// Kept so that a query allocates nothing after warm-up.
    static POINTS: Cell<Vec<Vector3<f64>>> = const { Cell::new(Vec::new()) };
}

/// Friction arm of `touches`. Points count if their depth plus the `distance` at which contact of the shapes begins is
/// positive; if none is, all count. 1 if the points have more than one normal, or if a shape need not be convex:
/// nothing is known of the area between its points.
pub(super) fn of_touches(shapes: [&Shape; 2], poses: [&Isometry3<f64>; 2], touches: &[Touch], distance: f64) -> f64 {
    let pressed = |touch: &Touch| touch.depth + distance > 0.0;
    let any = touches.iter().any(pressed);
    let counts = || touches.iter().filter(|touch| !any || pressed(touch));
    let Some(normal) = counts().next().map(|touch| touch.normal) else { return 1.0 };
    if counts().nth(1).is_none()
        || shapes.iter().any(|shape| matches!(shape, Shape::Mesh(_) | Shape::Custom(_)))
        || counts().any(|touch| (touch.normal - normal).norm() >= MAX_NORMAL_DIFFERENCE)
    {
        return 1.0;
    }
    let mut points = POINTS.take();
    points.clear();
    points.extend(counts().map(|touch| touch.p_WC));
    let on_rim = (0..2).any(|i| goes_around(shapes[i], poses[i], &points));
    let part = spin::part_of_points(&points, &normal, on_rim);
    POINTS.set(points);
    part
}

/// True if all `points` are on a rim of a round shape.
fn goes_around(shape: &Shape, X_WG: &Isometry3<f64>, points: &[Vector3<f64>]) -> bool {
    let (Shape::Cylinder { radius, .. } | Shape::Cone { radius, .. }) = shape else { return false };
    points.iter().all(|p| {
        let p_G = X_WG.inverse_transform_point(&(*p).into());
        (p_G.x.hypot(p_G.y) - radius).abs() <= ON_RIM * radius
    })
}
