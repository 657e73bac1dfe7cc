//! Pairs of links of one model that do not collide: those it names, and those that overlap at the start.
//!
//! Convex hulls of meshes, and simple shapes in their place, reach into their neighbours where the real parts do not.
//! What overlaps in the position from which a robot starts pushes its joints apart for ever.

use super::collision::{CollisionWorld, Query};
use super::model::{Collisions, PlantModel};
use crate::multibody::{AssemblyWarning, Kinematics, Tree};
use std::collections::BTreeMap;

/// Relative to the reach of the two bodies: shapes that overlap by less only touch, such as the closed fingers of a
/// hand.
const TOUCHING: f64 = 1e-4;

/// Excludes what the models say, and says which links overlap at the positions `q`.
pub(super) fn exclude(
    world: &mut CollisionWorld,
    tree: &Tree,
    models: &[PlantModel],
    q: &[f64],
) -> Vec<AssemblyWarning> {
    for model in models {
        let body = |link: &String| tree.body(&format!("{}/{link}", model.name));
        let scene = &model.model.scene;
        let apart = model.excluded.links.iter().chain(&scene.apart);
        world.exclude(apart.filter_map(|[a, b]| Some([body(a)?, body(b)?])));
        let of_model: Vec<usize> = model.model.links.iter().filter_map(|link| body(&link.name)).collect();
        let shapes = world.geometries().iter().enumerate().filter(|(_, g)| of_model.contains(&g.body));
        let named: BTreeMap<&str, usize> = shapes.map(|(i, g)| (g.name.as_str(), i)).collect();
        let pair = |[a, b]: &[String; 2]| Some([*named.get(a.as_str())?, *named.get(b.as_str())?]);
        let touching: Vec<[usize; 2]> = scene.touching.iter().filter_map(pair).collect();
        if !touching.is_empty() {
            world.include(touching);
        }
    }
    let mut warnings = Vec::new();
    for ([a, b], depth) in overlapping(world, tree, q) {
        let parts = tree.models();
        let Some(m) = parts.iter().position(|part| part.bodies.contains(&a) && part.bodies.contains(&b)) else {
            continue;
        };
        if models[m].collisions != Collisions::All {
            continue;
        }
        // What stands still in a scene is no part of a robot.
        if models[m].model.scene.root_is_world && !(world.movable(a) && world.movable(b)) {
            continue;
        }
        let links = [a, b].map(|body| tree.bodies()[body].name.clone());
        let excluded = models[m].excluded.touching_at_start;
        if excluded {
            world.exclude([[a, b]]);
        }
        warnings.push(AssemblyWarning::OverlapAtStart { links, depth, excluded });
    }
    warnings
}

/// Pairs of bodies that may touch and overlap at the positions `q`, with their depths.
fn overlapping(world: &CollisionWorld, tree: &Tree, q: &[f64]) -> Vec<([usize; 2], f64)> {
    if !q.iter().all(|x| x.is_finite()) {
        return Vec::new();
    }
    let mut k = Kinematics::default();
    tree.position_kinematics(q, &mut k);
    let poses = (0..tree.bodies().len()).map(|b| tree.X_WB(&k, b));
    let (mut p_WB, mut R_WB) = (Vec::new(), Vec::new());
    for X in poses {
        p_WB.push(X.p_WB.into());
        R_WB.push(std::array::from_fn(|i| X.R_WB.as_slice()[i]));
    }
    let mut contacts = Vec::new();
    world.contacts(&p_WB, &R_WB, 0.0, &mut Query::default(), &mut contacts);
    let mut deepest: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    for contact in &contacts {
        let [a, b] = [contact.body_a.min(contact.body_b), contact.body_a.max(contact.body_b)];
        let depth = deepest.entry([a, b]).or_default();
        *depth = depth.max(contact.depth);
    }
    let is_deep = |[a, b]: [usize; 2], depth: f64| depth > TOUCHING * (world.reach[a] + world.reach[b]);
    deepest.into_iter().filter(|&(pair, depth)| is_deep(pair, depth)).collect()
}
