//! Whether every two shapes that may meet have a way to touch.

use super::collision::CollisionWorld;
use super::error::PlantError;
use crate::geometry::{Shape, supported};
use crate::multibody::Tree;

/// Adds a fault for each two links with shapes that may meet and cannot touch.
pub(super) fn check(world: &CollisionWorld, tree: &Tree, faults: &mut Vec<PlantError>) {
    let shapes = world.geometries();
    let name = |i: usize| {
        let g = &shapes[i];
        let link = &tree.bodies()[g.body].name;
        match (g.ground, g.name.as_str()) {
            (true, _) => "the ground".to_owned(),
            (false, "") => format!("the {} of `{link}`", g.shape.kind()),
            (false, shape) => format!("the {} `{shape}` of `{link}`", g.shape.kind()),
        }
    };
    let mut known = Vec::new();
    // All pairs of built-in bounded convex shapes touch.
    let is_odd = |shape: &Shape| matches!(shape, Shape::HalfSpace | Shape::Mesh(_) | Shape::Custom(_));
    for i in (0..shapes.len()).filter(|&i| is_odd(&shapes[i].shape)) {
        for j in (0..shapes.len()).filter(|&j| j > i || !is_odd(&shapes[j].shape)) {
            let Err(fault) = supported(&shapes[i].shape, &shapes[j].shape) else { continue };
            let bodies = [shapes[i].body, shapes[j].body];
            if world.may_touch(i, j) && !known.contains(&bodies) {
                known.push(bodies);
                faults.push(PlantError::UnsupportedShapes { a: name(i), b: name(j), fault });
            }
        }
    }
}
