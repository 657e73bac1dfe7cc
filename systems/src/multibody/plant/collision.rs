//! The collision shapes of a plant, which pairs may touch, and where they do.
//!
//! Two shapes never touch if they are on one body, if both are fixed to the world, if their links are joined by a joint, or if
//! their links are welded together.

use super::builder::{Collisions, PlantModel};
use super::material::{ContactParameters, Material};
use crate::convex::{ContactPoint, PlantPoint};
use crate::geometry::{self, Shape, Touch};
use crate::multibody::Tree;
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};

/// A shape on a body.
#[derive(Clone, Debug)]
struct Geometry {
    body: usize,
    X_BG: Isometry3<f64>,
    shape: Shape,
    material: Material,
    collisions: Collisions,
    ground: bool,
}

/// Everything of a plant that collides.
#[derive(Clone, Debug)]
pub(super) struct CollisionWorld {
    geometries: Vec<Geometry>,
    pub parameters: ContactParameters,
    /// For each body: the outermost body it is welded to, the clique or none, the joint parent.
    rigid_group: Vec<usize>,
    joined: Vec<Option<usize>>,
    movable: Vec<bool>,
    /// Distance from each body's origin to its farthest point.
    pub reach: Vec<f64>,
}

/// Workspace of a contact query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query {
    boxes: Vec<geometry::Aabb>,
    poses: Vec<Isometry3<f64>>,
    broad_phase: geometry::broad_phase::BroadPhase,
    touches: Vec<Touch>,
}

impl CollisionWorld {
    pub fn new(
        tree: &Tree,
        models: &[PlantModel],
        ground: Option<Isometry3<f64>>,
        parameters: ContactParameters,
    ) -> Self {
        let material = parameters.default_material();
        let mut geometries = Vec::new();
        if let Some(X_BG) = ground {
            let (shape, collisions) = (Shape::HalfSpace, Collisions::All);
            geometries.push(Geometry { body: 0, X_BG, shape, material, collisions, ground: true });
        }
        for model in models.iter().filter(|m| m.collisions != Collisions::None) {
            for link in &model.model.links {
                let Some(body) = tree.body(&format!("{}/{}", model.name, link.name)) else { continue };
                geometries.extend(link.collisions.iter().map(|c| Geometry {
                    body,
                    X_BG: c.X_BG,
                    shape: c.shape.clone(),
                    material,
                    collisions: model.collisions,
                    ground: false,
                }));
            }
        }
        let bodies = tree.bodies();
        let mut rigid_group: Vec<usize> = (0..bodies.len()).collect();
        for b in 1..bodies.len() {
            if bodies[b].joint.is_none() {
                rigid_group[b] = rigid_group[bodies[b].parent];
            }
        }
        let joined = bodies.iter().map(|b| b.joint.map(|_| b.parent).filter(|&p| p != 0)).collect();
        let movable = bodies.iter().map(|b| b.clique.is_some()).collect();
        let mut reach = vec![0.0_f64; bodies.len()];
        for g in geometries.iter().filter(|g| !g.ground) {
            reach[g.body] = reach[g.body].max(g.X_BG.translation.vector.norm() + bounding_radius(&g.shape));
        }
        CollisionWorld { geometries, parameters, rigid_group, joined, movable, reach }
    }

    /// Body of each side of a contact, A and B, and whether it is the ground.
    pub fn sides(&self, contact: &ContactPoint) -> [(usize, bool); 2] {
        let side = |g: u64| {
            let g = &self.geometries[g as usize];
            (g.body, g.ground)
        };
        [side(contact.key >> 40), side((contact.key >> 16) & 0xff_ffff)]
    }

    fn may_touch(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.geometries[i], &self.geometries[j]);
        let others_only_ground =
            |g: &Geometry, other: &Geometry| g.collisions == Collisions::GroundOnly && !other.ground;
        self.rigid_group[a.body] != self.rigid_group[b.body]
            && (self.movable[a.body] || self.movable[b.body])
            && self.joined[a.body] != Some(b.body)
            && self.joined[b.body] != Some(a.body)
            && !others_only_ground(a, b)
            && !others_only_ground(b, a)
    }

    /// Fills the contacts of `point`, gaps up to `margin` included, sorted by bodies.
    pub fn contacts(&self, margin: f64, point: &mut PlantPoint) {
        point.contacts.clear();
        if self.geometries.len() < 2 {
            return;
        }
        let query = &mut point.query;
        query.poses.clear();
        query.boxes.clear();
        for g in &self.geometries {
            let rotation = Rotation3::from_matrix_unchecked(Matrix3::from_column_slice(&point.R_WB[g.body]));
            let X_WB = Isometry3::from_parts(
                Translation3::from(Vector3::from(point.p_WB[g.body])),
                UnitQuaternion::from_rotation_matrix(&rotation),
            );
            let X_WG = X_WB * g.X_BG;
            query.boxes.push(geometry::aabb(&g.shape, &X_WG).inflated(0.5 * margin));
            query.poses.push(X_WG);
        }
        let filter = |i: u32, j: u32| self.may_touch(i as usize, j as usize);
        for &(i, j) in query.broad_phase.candidates(&query.boxes, filter) {
            let (mut i, mut j) = (i as usize, j as usize);
            // A has the smaller body index, except that B always moves.
            let (a, b) = (self.geometries[i].body, self.geometries[j].body);
            if !self.movable[b] || (a > b && self.movable[a]) {
                (i, j) = (j, i);
            }
            let (ga, gb) = (&self.geometries[i], &self.geometries[j]);
            query.touches.clear();
            let points = self.parameters.points;
            geometry::touches(
                &ga.shape,
                &query.poses[i],
                &gb.shape,
                &query.poses[j],
                points,
                margin,
                &mut query.touches,
            );
            let pair = ga.material.combine(&gb.material);
            point.contacts.extend(query.touches.iter().map(|t| ContactPoint {
                body_a: ga.body,
                body_b: gb.body,
                p_WC: t.p_WC.into(),
                normal: t.normal.into(),
                depth: t.depth,
                stiffness: pair.stiffness,
                dissipation: pair.dissipation,
                static_friction: pair.static_friction,
                dynamic_friction: pair.dynamic_friction,
                key: ((i as u64) << 40) | ((j as u64) << 16) | u64::from(t.feature & 0xffff),
            }));
        }
        // A stable sort would allocate for more than twenty.
        point.contacts.sort_unstable_by_key(|c| (c.body_a, c.body_b, c.key));
    }
}

fn bounding_radius(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Box { half_extents } => half_extents.norm(),
        Shape::Cylinder { radius, half_length } => radius.hypot(*half_length),
        Shape::Capsule { radius, half_length } => radius + half_length,
        Shape::Convex(hull) => hull.vertices().map(|v| v.norm()).fold(0.0, f64::max),
        Shape::HalfSpace => 0.0,
    }
}
