//! Shapes for rays, where these differ from those for contact: a plane is unbounded for contact and has edges for rays,
//! and a height field stands on a block.

use super::{Aabb, CollisionShape, Drawing, ExactMesh, MassProperties, Ray, RayHit, Shape};
use nalgebra::{Isometry3, Vector3};
use std::sync::Arc;

impl Shape {
    /// The shape for rays. `sheet` is the half size along x and y of a half-space that is a plane (infinite:
    /// unbounded), hit from above only.
    pub fn seen(&self, sheet: Option<[f64; 2]>) -> Shape {
        match (self, sheet) {
            (Shape::HalfSpace, Some(half_size)) => Shape::custom(Sheet { half_size }),
            (Shape::Mesh(mesh), _) if mesh.block().is_some() => Shape::custom(Terrain(Arc::clone(mesh))),
            _ => self.clone(),
        }
    }
}

/// A rectangle in the plane of x and y with its front upwards.
#[derive(Debug)]
struct Sheet {
    half_size: [f64; 2],
}

/// A height field with the block that it stands on.
#[derive(Debug)]
struct Terrain(Arc<ExactMesh>);

impl CollisionShape for Sheet {
    fn name(&self) -> &'static str {
        "plane"
    }

    fn support(&self, _direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        None
    }

    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let [x, y] = self.half_size;
        if !(x.is_finite() && y.is_finite()) {
            return Shape::HalfSpace.as_collision_shape(|shape| shape.aabb(X_WG));
        }
        let R = X_WG.rotation.to_rotation_matrix();
        Aabb::around(&X_WG.translation.vector, &(R.matrix().abs() * Vector3::new(x, y, 0.0)))
    }

    fn bounding_radius(&self) -> f64 {
        Vector3::new(self.half_size[0], self.half_size[1], 0.0).norm()
    }

    fn half_thickness(&self) -> f64 {
        0.0
    }

    fn mass_properties(&self) -> Option<MassProperties> {
        None
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let distance = -ray.origin().z / ray.direction().z;
        let at = ray.at(distance);
        let [x, y] = self.half_size;
        let meets = ray.direction().z < 0.0 && distance >= 0.0 && at.x.abs() <= x && at.y.abs() <= y;
        meets.then_some(RayHit { distance, normal: Vector3::z() })
    }

    fn drawing(&self) -> Drawing {
        Drawing::HalfSpace
    }
}

impl CollisionShape for Terrain {
    fn name(&self) -> &'static str {
        "height field"
    }

    fn support(&self, _direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        None
    }

    fn aabb(&self, X_WG: &Isometry3<f64>) -> Aabb {
        let [mut low, high] = *self.0.bounds();
        low.z = low.z.min(-self.0.block().map_or(0.0, |block| block.depth()));
        let R = X_WG.rotation.to_rotation_matrix();
        let center = X_WG.rotation * ((low + high) * 0.5) + X_WG.translation.vector;
        Aabb::around(&center, &(R.matrix().abs() * ((high - low) * 0.5)))
    }

    fn bounding_radius(&self) -> f64 {
        self.0.radius() + self.0.block().map_or(0.0, |block| block.depth())
    }

    fn half_thickness(&self) -> f64 {
        0.0
    }

    fn mass_properties(&self) -> Option<MassProperties> {
        None
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let block = self.0.block().and_then(|block| block.cast_ray(ray));
        let hits = [self.0.cast_ray(ray), block];
        hits.into_iter().flatten().min_by(|a, b| a.distance.total_cmp(&b.distance))
    }

    fn drawing(&self) -> Drawing {
        self.0.drawing()
    }
}
