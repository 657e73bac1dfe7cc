//! Spheres.

use crate::ray::{Chord, roots};
use crate::{Aabb, CollisionShape, Drawing, MassProperties, Ray, RayHit};
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::PI;

/// A sphere about the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sphere {
    pub radius: f64,
}

/// The part of a ray within a sphere about the origin, from the point nearest to the origin on.
pub(super) fn chord(near: &Ray, center: &Vector3<f64>, radius: f64) -> Option<Chord> {
    let from = near.origin() - center;
    let [t, u] = roots(1.0, from.dot(&near.direction()), from.norm_squared() - radius * radius)?;
    let hit = |distance| RayHit { distance, normal: (near.at(distance) - center) / radius };
    Some(Chord { enters: hit(t), leaves: hit(u) })
}

impl CollisionShape for Sphere {
    fn name(&self) -> &'static str {
        "ball"
    }

    fn support(&self, direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        Some(direction.normalize() * self.radius)
    }

    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let center = X_WG.translation.vector;
        Aabb { min: center.add_scalar(-self.radius), max: center.add_scalar(self.radius) }
    }

    fn bounding_radius(&self) -> f64 {
        self.radius
    }

    fn half_thickness(&self) -> f64 {
        self.radius
    }

    fn mass_properties(&self) -> Option<MassProperties> {
        let volume = 4.0 / 3.0 * PI * self.radius.powi(3);
        Some(MassProperties::centered(volume, Vector3::repeat(volume * self.radius.powi(2) / 5.0)))
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let (near, shift) = ray.recentred();
        chord(&near, &Vector3::zeros(), self.radius)?.first(shift)
    }

    fn drawing(&self) -> Drawing {
        Drawing::Sphere { radius: self.radius }
    }
}
