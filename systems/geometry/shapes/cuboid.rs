//! Boxes.

use crate::convex::Convex;
use crate::feature::Feature;
use crate::placed::{Placed, clamp, side};
use crate::ray::Chord;
use crate::{Aabb, CollisionShape, Drawing, MassProperties, Ray, RayHit};
use nalgebra::{Isometry3, Vector3};
use std::ops::Range;

/// A box about the origin.
#[derive(Clone, Copy, Debug)]
pub struct Cuboid {
    pub half_extents: Vector3<f64>,
}

impl CollisionShape for Cuboid {
    fn name(&self) -> &'static str {
        "box"
    }

    fn support(&self, direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        Some(self.corner(direction))
    }

    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let R = X_WG.rotation.to_rotation_matrix();
        Aabb::around(&X_WG.translation.vector, &(R.matrix().abs() * self.half_extents))
    }

    fn bounding_radius(&self) -> f64 {
        self.half_extents.norm()
    }

    fn half_thickness(&self) -> f64 {
        self.half_extents.min()
    }

    fn mass_properties(&self) -> Option<MassProperties> {
        let volume = 8.0 * self.half_extents.product();
        Some(MassProperties::centered(volume, self.half_extents.map(|h| h * h) * (volume / 3.0)))
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let (near, shift) = ray.recentred();
        let mut chord = Chord::whole();
        for i in 0..3 {
            for sign in [1.0, -1.0] {
                let mut normal = Vector3::zeros();
                normal[i] = sign;
                chord = chord.cut(&near, &normal, self.half_extents[i])?;
            }
        }
        chord.first(shift)
    }

    fn drawing(&self) -> Drawing {
        Drawing::Box { size: (self.half_extents * 2.0).into() }
    }
}

impl<'a> Convex<'a> for Cuboid {
    fn reach_local(&self, n: &Vector3<f64>) -> f64 {
        self.half_extents.dot(&n.abs())
    }

    fn reach(&self, placed: &Placed, n: &Vector3<f64>) -> f64 {
        (0..3).map(|i| self.half_extents[i] * placed.axes[i].dot(n).abs()).sum()
    }

    fn size(&self) -> f64 {
        self.half_extents.norm()
    }

    fn support(&self, placed: &Placed, n: &Vector3<f64>) -> Vector3<f64> {
        let h = self.half_extents;
        let facing = placed.axes.map(|a| a.dot(n));
        let [x, y, z] = placed.axes;
        x * (h.x * side(facing[0])) + y * (h.y * side(facing[1])) + z * (h.z * side(facing[2]))
    }

    fn corner(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        self.half_extents.zip_map(direction, f64::copysign)
    }

    fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64> {
        p.zip_map(&self.half_extents, clamp)
    }

    fn feature(&self, placed: &Placed, n: &Vector3<f64>) -> Feature<'a> {
        let h = self.half_extents;
        let facing = placed.axes.map(|a| a.dot(n));
        let mut k = 0;
        for i in 1..3 {
            if facing[i].abs() > facing[k].abs() {
                k = i;
            }
        }
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let center = placed.center + placed.axes[k] * h[k].copysign(facing[k]);
        Feature::Rectangle { center, axes: [placed.axes[i], placed.axes[j]], half: [h[i], h[j]] }
    }

    /// Visits all corners. Whichever face lies flat, its four corners have a quarter each.
    fn plane_contacts(&self, placed: &Placed, _n: &Vector3<f64>, mut visit: impl FnMut(Vector3<f64>, f64, u32)) {
        let h = self.half_extents;
        for corner in 0..8_u32 {
            let sign = |bit: u32| if corner & bit == 0 { -1.0 } else { 1.0 };
            let [x, y, z] = placed.axes;
            visit(x * (sign(1) * h.x) + y * (sign(2) * h.y) + z * (sign(4) * h.z), 0.25, corner);
        }
    }

    fn straight_axes(&self) -> Range<usize> {
        0..3
    }

    fn flat_axes(&self) -> Range<usize> {
        0..3
    }
}
