//! Bodies that start inside triangle meshes, which push outwards at their surface only: meshes that collide as they
//! are, and height fields.
//!
//! A shape whose centre is behind the triangles does not touch them: nothing pushes it out. A centre is inside if the
//! vertical lines up and down from it both meet the back of a triangle first.

use super::collision::CollisionWorld;
use crate::{AssemblyWarning, Kinematics, Tree};
use kinegraph_geometry::{Ray, Shape, aabb};
use nalgebra::{Isometry3, Rotation3, Translation3, Vector3};

/// Reports the bodies that start inside at the positions `q`, and the bodies around them.
pub(super) fn find(world: &CollisionWorld, tree: &Tree, q: &[f64], gravity: &Vector3<f64>) -> Vec<AssemblyWarning> {
    let all = world.geometries();
    let hollow: Vec<usize> = (0..all.len()).filter(|&i| matches!(all[i].shape, Shape::Mesh(_))).collect();
    if hollow.is_empty() || !q.iter().all(|x| x.is_finite()) {
        return Vec::new();
    }
    let mut k = Kinematics::default();
    tree.position_kinematics(q, &mut k);
    let pose = |i: usize| {
        let X = tree.X_WB(&k, all[i].body);
        let R = Rotation3::from_matrix_unchecked(X.R_WB);
        Isometry3::from_parts(Translation3::from(X.p_WB), R.into()) * all[i].X_BG
    };
    let bounds: Vec<_> = (0..all.len()).map(|i| aabb(&all[i].shape, &pose(i))).collect();
    let down = gravity.try_normalize(0.0).unwrap_or(-Vector3::z());
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    for mesh in hollow {
        let (shape, X_WG, around) = (&all[mesh].shape, pose(mesh), &bounds[mesh]);
        for (i, of_shape) in all.iter().enumerate() {
            let middle = 0.5 * (bounds[i].min + bounds[i].max);
            let within = middle >= around.min && middle <= around.max;
            let pair = [of_shape.body, all[mesh].body];
            if !within || pairs.contains(&pair) || world.apart(i, mesh).is_some() {
                continue;
            }
            let behind = |direction: Vector3<f64>| {
                let ray = Ray::new(middle, direction)?;
                Some(shape.cast_ray(&X_WG, &ray)?.is_from_inside(&ray))
            };
            if behind(down) == Some(true) && behind(-down) == Some(true) {
                pairs.push(pair);
            }
        }
    }
    let name = |body: usize| tree.bodies()[body].name.clone();
    pairs.iter().map(|&[body, of]| AssemblyWarning::StartsInside { body: name(body), of: name(of) }).collect()
}
