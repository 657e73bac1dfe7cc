//! The half-space: all points with z <= 0.

use crate::ray::Chord;
use crate::{Aabb, CollisionShape, Drawing, MassProperties, Ray, RayHit};
use nalgebra::{Isometry3, Vector3};

/// All points with z <= 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace;

impl CollisionShape for HalfSpace {
    fn name(&self) -> &'static str {
        "half-space"
    }

    fn support(&self, _direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        None
    }

    /// Unbounded, except above when its normal is a world axis (within 1e-9).
    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let R = X_WG.rotation.to_rotation_matrix();
        let z = R.matrix().column(2);
        let mut bounds = Aabb { min: Vector3::repeat(f64::NEG_INFINITY), max: Vector3::repeat(f64::INFINITY) };
        for i in 0..3 {
            if z[i] > 1.0 - 1e-18 {
                bounds.max[i] = X_WG.translation.vector[i];
            } else if z[i] < -1.0 + 1e-18 {
                bounds.min[i] = X_WG.translation.vector[i];
            }
        }
        bounds
    }

    fn bounding_radius(&self) -> f64 {
        0.0
    }

    fn half_thickness(&self) -> f64 {
        f64::INFINITY
    }

    fn mass_properties(&self) -> Option<MassProperties> {
        None
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        Chord::whole().cut(ray, &Vector3::z(), 0.0)?.first(0.0)
    }

    fn drawing(&self) -> Drawing {
        Drawing::HalfSpace
    }
}
