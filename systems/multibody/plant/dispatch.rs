//! Check that every two shapes that may meet have a contact method.

use super::collision::CollisionWorld;
use super::error::PlantError;
use crate::Tree;
use kinegraph_geometry::{Points, Shape, supported};

/// Adds a fault for each pair of links with shapes that may meet and have no contact method.
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
    let points = world.parameters.points;
    let mut defects: Vec<PlantError> = Vec::new();
    // All pairs of built-in bounded convex shapes touch.
    let is_odd = |shape: &Shape| matches!(shape, Shape::HalfSpace | Shape::Mesh(_) | Shape::Custom(_));
    for i in (0..shapes.len()).filter(|&i| is_odd(&shapes[i].shape)) {
        for j in (0..shapes.len()).filter(|&j| j > i || !is_odd(&shapes[j].shape)) {
            let of_pair = [i, j].map(|k| &shapes[k].shape);
            let Err(fault) = supported(of_pair[0], of_pair[1], points) else {
                // Local minima need an inside and an outside; other contact between meshes and convex shapes does not.
                if let (Points::LocalMinima, [Shape::Mesh(_) | Shape::HalfSpace, Shape::Mesh(_) | Shape::HalfSpace]) =
                    (points, of_pair)
                    && world.may_touch(i, j)
                {
                    defects.extend([i, j].into_iter().filter_map(|k| match &shapes[k].shape {
                        Shape::Mesh(mesh) => {
                            let fault = mesh.is_manifold().err()?;
                            Some(PlantError::NonManifold { shape: name(k), fault })
                        }
                        _ => None,
                    }));
                }
                continue;
            };
            let bodies = [shapes[i].body, shapes[j].body];
            if world.may_touch(i, j) && !known.contains(&bodies) {
                known.push(bodies);
                faults.push(PlantError::UnsupportedShapes { a: name(i), b: name(j), fault });
            }
        }
    }
    for defect in defects {
        if !faults.contains(&defect) {
            faults.push(defect);
        }
    }
}
