//! Rays through everything that a plant collides with: what range sensors ask.

use super::block::MultibodyPlant;
use crate::geometry::{Aabb, Ray, Shape, aabb};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};

/// The collision shapes of a plant at given poses of its bodies. It keeps copies of the shapes (large ones are shared),
/// so that a block or a program can own it after the plant has become part of a diagram.
///
/// Answers are pure functions of the poses and the ray.
#[derive(Clone, Debug)]
pub struct SceneQuery {
    shapes: Vec<PlacedShape>,
    num_bodies: usize,
}

#[derive(Clone, Debug)]
struct PlacedShape {
    name: String,
    body: usize,
    X_BG: Isometry3<f64>,
    X_WG: Isometry3<f64>,
    bounds: Aabb,
    shape: Shape,
}

/// What a ray meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneHit<'a> {
    /// Index of the body among those of the tree; 0 is the world, to which the ground belongs.
    pub body: usize,
    /// Name of the shape; `ground` for the ground, and empty where the model gives none.
    pub shape: &'a str,
    /// Distance from the origin of the ray \[m\].
    pub distance: f64,
    /// The point C of the surface, in world \[m\].
    pub p_WC: Vector3<f64>,
    /// Unit normal of the surface in world, out of the solid.
    pub normal: Vector3<f64>,
}

impl MultibodyPlant {
    /// The collision shapes of the plant for rays, with all bodies but the world at its origin until
    /// [`place`](SceneQuery::place) is called.
    pub fn scene_query(&self) -> SceneQuery {
        let placed = |g: &super::collision::Geometry| PlacedShape {
            name: g.name.clone(),
            body: g.body,
            X_BG: g.X_BG,
            X_WG: g.X_BG,
            bounds: aabb(&g.shape, &g.X_BG),
            shape: g.shape.clone(),
        };
        let shapes = self.collision.geometries().iter().map(placed).collect();
        SceneQuery { shapes, num_bodies: self.tree.bodies().len() }
    }
}

impl SceneQuery {
    /// Places the bodies. `body_poses` is what the port
    /// [`body_poses`](MultibodyPlant::body_poses) of the plant has: `px py pz qw qx qy qz` for every body but the
    /// world \[m\].
    ///
    /// # Errors
    /// If there are not seven numbers for each body; nothing has moved then.
    pub fn place(&mut self, body_poses: &[f64]) -> Result<(), PosesMismatch> {
        let (expected, found) = (7 * (self.num_bodies - 1), body_poses.len());
        if found != expected {
            return Err(PosesMismatch { expected, found });
        }
        for placed in self.shapes.iter_mut().filter(|placed| placed.body > 0) {
            let at = 7 * (placed.body - 1);
            let [px, py, pz, qw, qx, qy, qz] = std::array::from_fn(|i| body_poses[at + i]);
            let rotation = UnitQuaternion::from_quaternion(Quaternion::new(qw, qx, qy, qz));
            placed.X_WG = Isometry3::from_parts(Vector3::new(px, py, pz).into(), rotation) * placed.X_BG;
            placed.bounds = aabb(&placed.shape, &placed.X_WG);
        }
        Ok(())
    }

    /// The first surface that a ray meets within `max_distance` \[m\], shapes of the `excluded` bodies left out. Of
    /// several at the same distance, that of the first shape. See [`Ray`] for the convention.
    pub fn cast_ray(&self, ray: &Ray, max_distance: f64, excluded: &[usize]) -> Option<SceneHit<'_>> {
        let mut first: Option<SceneHit<'_>> = None;
        for placed in self.shapes.iter().filter(|placed| !excluded.contains(&placed.body)) {
            let limit = first.map_or(max_distance, |hit| hit.distance);
            if !placed.bounds.meets_ray(ray, limit) {
                continue;
            }
            let Some(hit) = placed.shape.cast_ray(&placed.X_WG, ray) else { continue };
            if hit.distance < limit || (first.is_none() && hit.distance <= limit) {
                first = Some(SceneHit {
                    body: placed.body,
                    shape: &placed.name,
                    distance: hit.distance,
                    p_WC: ray.at(hit.distance),
                    normal: hit.normal,
                });
            }
        }
        first
    }
}

/// The poses are not those of the bodies of the plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{expected} numbers give the poses of the bodies, not {found}")]
pub struct PosesMismatch {
    /// How many numbers are needed.
    pub expected: usize,
    /// How many were given.
    pub found: usize,
}
