//! Ray queries against all collision shapes of a plant, for range sensors.

use super::ray_tree::RayTree;
use super::{Aabb, Ray, Shape, aabb};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};

/// The collision shapes of a plant at given poses of its bodies. It holds copies of the shapes (large ones are shared),
/// so that a block or a program can own it after the plant has become part of a diagram.
///
/// Results are pure functions of the poses and the ray.
#[derive(Clone, Debug)]
pub struct SceneQuery {
    shapes: Vec<PlacedShape>,
    num_bodies: usize,
    tree: RayTree,
}

/// A shape on a body.
#[derive(Clone, Debug)]
pub struct SceneShape {
    /// Its name; `ground` for the ground, and empty if the model gives none.
    pub name: String,
    /// Index of the body; 0 is the world.
    pub body: usize,
    /// Pose of the shape in the frame of the body.
    pub X_BG: Isometry3<f64>,
    /// The shape.
    pub shape: Shape,
}

#[derive(Clone, Debug)]
struct PlacedShape {
    on: SceneShape,
    X_WG: Isometry3<f64>,
    bounds: Aabb,
}

/// The first hit of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneHit<'a> {
    /// Index of the body among those of the tree; 0 is the world, to which the ground belongs.
    pub body: usize,
    /// Name of the shape; `ground` for the ground, and empty if the model gives none.
    pub shape: &'a str,
    /// Its index among the [shapes](SceneQuery::shapes).
    pub index: usize,
    /// Distance from the origin of the ray \[m\].
    pub distance: f64,
    /// The point C of the surface, in world \[m\].
    pub p_WC: Vector3<f64>,
    /// Unit normal of the surface in world, out of the solid.
    pub normal: Vector3<f64>,
}

impl SceneQuery {
    /// Shapes on `num_bodies` bodies, the world among them; all bodies but the world are at its origin until
    /// [`place`](Self::place) is called.
    pub fn new(shapes: impl IntoIterator<Item = SceneShape>, num_bodies: usize) -> Self {
        let placed = |on: SceneShape| PlacedShape { X_WG: on.X_BG, bounds: aabb(&on.shape, &on.X_BG), on };
        let shapes = shapes.into_iter().map(placed).collect();
        let mut query = SceneQuery { shapes, num_bodies, tree: RayTree::default() };
        query.rebuild();
        query
    }

    /// The shapes, in their order.
    pub fn shapes(&self) -> impl Iterator<Item = &SceneShape> {
        self.shapes.iter().map(|placed| &placed.on)
    }

    /// Places the bodies. `body_poses` is the value of the plant's port `body_poses`: `px py pz qw qx qy qz` for every
    /// body but the world \[m\].
    ///
    /// # Errors
    /// If there are not seven numbers for each body; then nothing has moved.
    pub fn place(&mut self, body_poses: &[f64]) -> Result<(), PosesMismatch> {
        let (expected, found) = (7 * (self.num_bodies - 1), body_poses.len());
        if found != expected {
            return Err(PosesMismatch { expected, found });
        }
        self.place_bodies(|body| {
            let [px, py, pz, qw, qx, qy, qz] = std::array::from_fn(|i| body_poses[7 * (body - 1) + i]);
            let rotation = UnitQuaternion::from_quaternion(Quaternion::new(qw, qx, qy, qz));
            Isometry3::from_parts(Vector3::new(px, py, pz).into(), rotation)
        });
        Ok(())
    }

    /// Places the bodies at the poses that `X_WB` gives for their indices, the world excepted.
    pub fn place_bodies(&mut self, X_WB: impl Fn(usize) -> Isometry3<f64>) {
        for placed in self.shapes.iter_mut().filter(|placed| placed.on.body > 0) {
            placed.X_WG = X_WB(placed.on.body) * placed.on.X_BG;
            placed.bounds = aabb(&placed.on.shape, &placed.X_WG);
        }
        self.rebuild();
    }

    fn rebuild(&mut self) {
        let SceneQuery { shapes, tree, .. } = self;
        tree.build(|i| shapes[i as usize].bounds, shapes.len());
    }

    /// The first hit of a ray within `max_distance` \[m\], ignoring shapes of the `excluded` bodies. Of several hits at
    /// the same distance, that of the first shape. See [`Ray`] for the convention.
    pub fn cast_ray(&self, ray: &Ray, max_distance: f64, excluded: &[usize]) -> Option<SceneHit<'_>> {
        let mut first: Option<(u32, SceneHit<'_>)> = None;
        self.tree.along(ray, max_distance, |i, limit| {
            let placed = &self.shapes[i as usize];
            if excluded.contains(&placed.on.body) {
                return limit;
            }
            let Some(hit) = placed.on.shape.cast_ray(&placed.X_WG, ray) else { return limit };
            let distance = hit.distance;
            if distance < limit || (distance == limit && first.is_none_or(|(other, _)| i < other)) {
                let (body, shape) = (placed.on.body, placed.on.name.as_str());
                let p_WC = ray.at(distance);
                first = Some((i, SceneHit { body, shape, index: i as usize, distance, p_WC, normal: hit.normal }));
                return distance;
            }
            limit
        });
        first.map(|(_, hit)| hit)
    }
}

/// The poses are not those of the bodies of the plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{expected} numbers give the poses of the bodies, not {found}")]
pub struct PosesMismatch {
    /// Number of values needed.
    pub expected: usize,
    /// Number of values given.
    pub found: usize,
}
