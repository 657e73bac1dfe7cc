//! A half-space against every other shape, in closed form.
//!
//! The force on a shape must not jump when it tilts, so *all* points that can be lowest are looked at, not only the
//! support feature: all corners of a box or hull, both ends of a capsule, 4 points on each rim of a cylinder (see
//! [`rim_directions`](super::feature::rim_directions) for why four and which).

use super::feature::rim_directions;
use super::manifold::{Contacts, TIE};
use super::solid::{Kind, Solid};
use super::{ConvexHull, Points, Shape, Touch};
use nalgebra::{Isometry3, Vector3};

/// Points of `shape` below (or less than the margin above) the half-space `z <= 0` of frame P.
/// Normals point out of the half-space.
pub(super) fn touches(X_WP: &Isometry3<f64>, shape: &Shape, X_WG: &Isometry3<f64>, contacts: &mut Contacts) {
    let n = X_WP.rotation * Vector3::z();
    let Some(solid) = Solid::new(shape, X_WG) else { return };
    // Heights are taken about the solid's centre: exact however far the frames are from the origin.
    let center_height = n.dot(&(X_WG.translation.vector - X_WP.translation.vector));
    contacts.normal = n;
    contacts.deepest = solid.reach(&n) - center_height;
    contacts.scale = solid.size();
    let mut emit = |offset: Vector3<f64>, feature: u32| {
        let depth = -(center_height + n.dot(&offset));
        contacts.push(solid.center + offset + n * (0.5 * depth), depth, feature);
    };
    let axis = solid.axis();
    match solid.kind {
        Kind::Round { radius, half_length } => {
            emit(-axis * half_length - n * radius, 0);
            if half_length > 0.0 {
                emit(axis * half_length - n * radius, 1);
            }
        }
        Kind::Box(h) => {
            for corner in 0..8_u32 {
                let sign = |bit: u32| if corner & bit == 0 { -1.0 } else { 1.0 };
                let [x, y, z] = solid.axes;
                emit(x * (sign(1) * h.x) + y * (sign(2) * h.y) + z * (sign(4) * h.z), corner);
            }
        }
        // Any number of corners: see `hull_touches`.
        Kind::Hull(_) => {}
        Kind::Cylinder { radius, half_length } => {
            let rim = rim_directions(&solid, &-n);
            for (cap, side) in [(0, -1.0), (1, 1.0)] {
                for (i, direction) in rim.iter().enumerate() {
                    emit(axis * (side * half_length) + direction * radius, 4 * cap + i as u32);
                }
            }
        }
    }
}

/// The same for a hull, straight into `out`: its corners may be any number.
pub(super) fn hull_touches(
    X_WP: &Isometry3<f64>,
    hull: &ConvexHull,
    X_WG: &Isometry3<f64>,
    points: Points,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let normal = X_WP.rotation * Vector3::z();
    let n = X_WG.rotation.inverse() * normal;
    let from_plane = X_WG.translation.vector - X_WP.translation.vector;
    let center = X_WG.rotation * hull.center();
    let center_height = normal.dot(&from_plane) + normal.dot(&center);
    let deepest = hull.reach(&-n) - center_height;
    // Poses that are not numbers end here, too.
    if deepest <= -margin || deepest.is_nan() {
        return;
    }
    let depth = |v: &Vector3<f64>| -(center_height + n.dot(v));
    let place = |v: Vector3<f64>| X_WG.translation.vector + (center + X_WG.rotation * v);
    match points {
        Points::Manifold => {
            for (i, v) in hull.corners().iter().enumerate() {
                let depth = depth(v);
                if depth > -margin {
                    out.push(Touch { p_WC: place(*v) + normal * (0.5 * depth), normal, depth, feature: i as u32 });
                }
            }
        }
        Points::Deepest => {
            // As for other shapes: weights fade to zero over the tie band, so that the mean moves without jumps.
            let band = TIE * hull.radius;
            let (mut sum, mut weights) = (Vector3::zeros(), 0.0);
            for v in hull.corners() {
                let below = depth(v) - (deepest - band);
                if below > 0.0 {
                    let weight = below / band;
                    sum += v * weight;
                    weights += weight;
                }
            }
            let p_WC = place(sum / weights) + normal * (0.5 * deepest);
            out.push(Touch { p_WC, normal, depth: deepest, feature: 0 });
        }
    }
}
