//! A half-space against every other shape, in closed form.
//!
//! The force on a shape must not jump when it tilts, so *all* points that can be lowest are looked at, not only the
//! support feature: 8 corners of a box, both ends of a capsule, 4 points on each rim of a cylinder (see
//! [`rim_directions`](super::feature::rim_directions) for why four and which).

use super::Shape;
use super::feature::rim_directions;
use super::manifold::Contacts;
use super::solid::{Kind, Solid};
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
