//! Capsules.

use super::{cylinder, sphere};
use crate::convex::Convex;
use crate::feature::Feature;
use crate::placed::{Placed, clamp, side};
use crate::shares;
use crate::{Aabb, CollisionShape, Drawing, MassProperties, Ray, RayHit};
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::PI;
use std::ops::Range;

/// A capsule along z about the origin; `half_length` is that of the segment.
#[derive(Clone, Copy, Debug)]
pub struct Capsule {
    pub radius: f64,
    pub half_length: f64,
}

impl CollisionShape for Capsule {
    fn name(&self) -> &'static str {
        "capsule"
    }

    fn support(&self, direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        Some(direction.normalize() * self.radius + Vector3::z() * self.half_length.copysign(direction.z))
    }

    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let &Self { radius, half_length } = self;
        let R = X_WG.rotation.to_rotation_matrix();
        let reach = R.matrix().column(2).map(|a: f64| half_length * a.abs() + radius);
        Aabb::around(&X_WG.translation.vector, &reach)
    }

    fn bounding_radius(&self) -> f64 {
        self.radius + self.half_length
    }

    fn half_thickness(&self) -> f64 {
        self.radius
    }

    fn mass_properties(&self) -> Option<MassProperties> {
        let (r, l) = (self.radius, self.half_length);
        let (middle, ends) = (2.0 * PI * r * r * l, 4.0 / 3.0 * PI * r.powi(3));
        let across = middle * r * r / 4.0 + ends * r * r / 5.0;
        // Second moment of two half balls, each at l + 3 r / 8 on its side of the origin.
        let along = middle * l * l / 3.0 + ends * (r * r / 5.0 + l * l + 0.75 * l * r);
        Some(MassProperties::centered(middle + ends, Vector3::new(across, across, along)))
    }

    /// A capsule is the union of a cylinder and two balls, and convex: the ray is inside from where it enters the first
    /// of them to where it leaves the last.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let &Self { radius, half_length } = self;
        let (near, shift) = ray.recentred();
        let ball = |z: f64| sphere::chord(&near, &Vector3::new(0.0, 0.0, z), radius);
        let middle = cylinder::side(&near, radius).and_then(|side| cylinder::between(side, &near, half_length));
        let parts = [middle, ball(half_length), ball(-half_length)];
        parts.into_iter().flatten().reduce(|a, b| a.joined(b))?.first(shift)
    }

    fn drawing(&self) -> Drawing {
        Drawing::Capsule { radius: self.radius, length: self.half_length * 2.0 }
    }
}

/// A sphere is a capsule without length.
impl<'a> Convex<'a> for Capsule {
    fn reach_local(&self, n: &Vector3<f64>) -> f64 {
        self.radius + self.half_length * n.z.abs()
    }

    fn reach(&self, placed: &Placed, n: &Vector3<f64>) -> f64 {
        self.radius + self.half_length * placed.axis().dot(n).abs()
    }

    fn size(&self) -> f64 {
        self.radius + self.half_length
    }

    fn support(&self, placed: &Placed, n: &Vector3<f64>) -> Vector3<f64> {
        n * self.radius + placed.axis() * (self.half_length * side(placed.axis().dot(n)))
    }

    fn corner(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(0.0, 0.0, self.half_length.copysign(direction.z))
    }

    fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(0.0, 0.0, clamp(p.z, self.half_length))
    }

    fn feature(&self, placed: &Placed, n: &Vector3<f64>) -> Feature<'a> {
        let &Self { radius, half_length } = self;
        let (axis, middle) = (placed.axis(), placed.center + n * radius);
        if half_length > 0.0 {
            Feature::Segment([middle - axis * half_length, middle + axis * half_length])
        } else {
            Feature::Point(middle)
        }
    }

    /// Visits both ends.
    fn plane_contacts(&self, placed: &Placed, n: &Vector3<f64>, mut visit: impl FnMut(Vector3<f64>, f64, u32)) {
        let &Self { radius, half_length } = self;
        if half_length > 0.0 {
            let axis = placed.axis();
            let rise = axis.dot(n);
            let low = shares::of_end(rise, (1.0 - rise * rise).max(0.0).sqrt());
            visit(-axis * half_length - n * radius, low, 0);
            visit(axis * half_length - n * radius, 1.0 - low, 1);
        } else {
            visit(-n * radius, 1.0, 0);
        }
    }

    fn straight_axes(&self) -> Range<usize> {
        2..3
    }

    fn rod(&self, _placed: &Placed, n: &Vector3<f64>) -> Option<(Vector3<f64>, f64)> {
        Some((n * self.radius, self.half_length))
    }
}
