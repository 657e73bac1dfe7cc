//! Ellipsoids.

use crate::convex::Convex;
use crate::feature::Feature;
use crate::nearest_point::nearest_on_ellipsoid;
use crate::placed::Placed;
use crate::ray::Chord;
use crate::ray::roots;
use crate::{Aabb, CollisionShape, Drawing, MassProperties, Ray, RayHit};
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::PI;

/// An ellipsoid about the origin.
#[derive(Clone, Copy, Debug)]
pub struct Ellipsoid {
    pub semi_axes: Vector3<f64>,
}

impl CollisionShape for Ellipsoid {
    fn name(&self) -> &'static str {
        "ellipsoid"
    }

    fn support(&self, direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        Some(self.corner(direction))
    }

    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let R = X_WG.rotation.to_rotation_matrix();
        let along = |i: usize| R.matrix().row(i).transpose().component_mul(&self.semi_axes).norm();
        Aabb::around(&X_WG.translation.vector, &Vector3::from_fn(|i, _| along(i)))
    }

    fn bounding_radius(&self) -> f64 {
        self.semi_axes.max()
    }

    fn half_thickness(&self) -> f64 {
        self.semi_axes.min()
    }

    fn mass_properties(&self) -> Option<MassProperties> {
        let volume = 4.0 / 3.0 * PI * self.semi_axes.product();
        Some(MassProperties::centered(volume, self.semi_axes.map(|a| a * a) * (volume / 5.0)))
    }

    /// The hit of the unit sphere in coordinates divided by the semi-axes.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let (near, shift) = ray.recentred();
        let p = near.origin().component_div(&self.semi_axes);
        let d = near.direction().component_div(&self.semi_axes);
        let [t, u] = roots(d.norm_squared(), p.dot(&d), p.norm_squared() - 1.0)?;
        let hit =
            |distance: f64| RayHit { distance, normal: (p + d * distance).component_div(&self.semi_axes).normalize() };
        Chord { enters: hit(t), leaves: hit(u) }.first(shift)
    }

    fn drawing(&self) -> Drawing {
        Drawing::Ellipsoid { semi_axes: self.semi_axes.into() }
    }
}

impl<'a> Convex<'a> for Ellipsoid {
    fn reach_local(&self, n: &Vector3<f64>) -> f64 {
        self.semi_axes.component_mul(n).norm()
    }

    fn size(&self) -> f64 {
        self.semi_axes.max()
    }

    fn support(&self, placed: &Placed, n: &Vector3<f64>) -> Vector3<f64> {
        let s = self.semi_axes;
        let facing = placed.turned(n);
        let local = s.component_mul(&s.component_mul(&facing));
        let length = s.component_mul(&facing).norm();
        placed.unturned(&(local / length))
    }

    fn corner(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        let stretched = self.semi_axes.component_mul(direction);
        let length = stretched.norm();
        let first = Vector3::new(self.semi_axes.x, 0.0, 0.0);
        if length > 0.0 { self.semi_axes.component_mul(&stretched) / length } else { first }
    }

    fn nearest(&self, p: &Vector3<f64>) -> Vector3<f64> {
        nearest_on_ellipsoid(&self.semi_axes, p)
    }

    fn feature(&self, placed: &Placed, n: &Vector3<f64>) -> Feature<'a> {
        Feature::Point(placed.center + Convex::support(self, placed, n))
    }

    fn plane_contacts(&self, placed: &Placed, n: &Vector3<f64>, mut visit: impl FnMut(Vector3<f64>, f64, u32)) {
        let lowest = placed.center + Convex::support(self, placed, &-n);
        visit(lowest - placed.center, 1.0, 0);
    }
}
