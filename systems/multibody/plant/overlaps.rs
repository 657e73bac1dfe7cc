//! Excluded pairs of links of one model: those it names, and those that overlap at the start.
//!
//! Convex hulls of meshes, and simple shapes in their place, overlap with their neighbours although the real parts do
//! not. An overlap in the initial position of a robot would push its joints apart forever. A body that rests on another
//! one, pressed in no deeper than by its weight, does not count as overlapping.

use super::collision::{CollisionWorld, Query};
use super::model::{Collisions, PlantModel};
use crate::{AssemblyWarning, Kinematics, Tree};
use nalgebra::Vector3;
use std::collections::{BTreeMap, HashSet};

/// Overlap, relative to the reach of the two bodies, below which shapes only touch, such as the closed fingers of a
/// hand.
const TOUCHING: f64 = 1e-4;
/// Largest gap of bodies that rest on each other \[m\].
const MAX_GAP: f64 = 1e-5;
/// Least cosine between the vertical and the normal of a contact that supports a body.
const LEVEL: f64 = 0.7;

/// Excludes the pairs that the models name, and reports the links that overlap at the positions `q`. Neighbours in one
/// of the models `fibres` touch and hold each other.
pub(super) fn exclude(
    world: &mut CollisionWorld,
    tree: &Tree,
    models: &[PlantModel],
    fibres: &[&str],
    q: &[f64],
    gravity: &Vector3<f64>,
) -> Vec<AssemblyWarning> {
    let names_pairs = models.iter().any(|m| !m.excluded.links.is_empty() || !m.model.scene.apart.is_empty());
    let resting = if names_pairs { touching(world, tree, q, MAX_GAP) } else { BTreeMap::new() };
    for model in models {
        let body = |link: &String| tree.body(&format!("{}/{link}", model.name));
        let scene = &model.model.scene;
        let apart = model.excluded.links.iter().chain(&scene.apart);
        world.exclude(apart.filter_map(|[a, b]| Some([body(a)?, body(b)?])));
        if scene.touching.is_empty() {
            continue;
        }
        let of_model: HashSet<usize> = model.model.links.iter().filter_map(|link| body(&link.name)).collect();
        let shapes = world.geometries().iter().enumerate().filter(|(_, g)| of_model.contains(&g.body));
        let named: BTreeMap<&str, usize> = shapes.map(|(i, g)| (g.name.as_str(), i)).collect();
        let touching = scene.touching.iter().filter_map(|pair| {
            let [a, b] = &pair.shapes;
            Some(([*named.get(a.as_str())?, *named.get(b.as_str())?], pair))
        });
        let touching: Vec<_> = touching.collect();
        if !touching.is_empty() {
            world.include(touching);
        }
    }
    let mut warnings = Vec::new();
    let floating = Floating::of(tree);
    let unsupported = |pair: [usize; 2], normal: &Vector3<f64>, by_name| {
        let [upper, lower] =
            floating.supported(tree, pair, normal, gravity)?.map(|body| tree.bodies()[body].name.clone());
        Some(AssemblyWarning::ExcludedSupport { upper, lower, by_name })
    };
    let of_fibre = |pair: &[usize; 2]| {
        let mut parts = tree.models().iter().filter(|part| fibres.contains(&part.name.as_str()));
        parts.any(|part| pair.iter().all(|body| part.bodies.contains(body)))
    };
    for (pair, Deepest { normal, .. }) in resting {
        if world.is_excluded(pair[0], pair[1]) && !of_fibre(&pair) {
            warnings.extend(unsupported(pair, &normal, true));
        }
    }
    let weight = gravity.norm() * floating.mass(tree);
    let rests = |pair: &[usize; 2], found: &Deepest| {
        found.depth * found.stiffness <= weight && floating.supported(tree, *pair, &found.normal, gravity).is_some()
    };
    let is_deep = |[a, b]: [usize; 2], depth: f64| depth > TOUCHING * (world.reach[a] + world.reach[b]);
    let mut overlapping = touching(world, tree, q, 0.0);
    overlapping.retain(|pair, found| is_deep(*pair, found.depth) && !rests(pair, found));
    let mut at_start = Vec::new();
    for ([a, b], Deepest { depth, normal, .. }) in overlapping {
        let [Some(m), Some(other)] = [a, b].map(|body| tree.bodies()[body].model) else { continue };
        if m != other {
            continue;
        }
        if models[m].collisions != Collisions::All {
            continue;
        }
        // Fixed bodies of a scene are no parts of a robot.
        if models[m].model.scene.root_is_world && !(world.movable(a) && world.movable(b)) {
            continue;
        }
        let links = [a, b].map(|body| tree.bodies()[body].name.clone());
        let excluded = models[m].excluded.touching_at_start;
        if excluded {
            at_start.push([a, b]);
            warnings.extend(unsupported([a, b], &normal, false));
        }
        warnings.push(AssemblyWarning::OverlapAtStart { links, depth, excluded });
    }
    if !at_start.is_empty() {
        world.exclude_at_start(&at_start);
    }
    warnings
}

/// The contacts of two bodies in summary.
struct Deepest {
    /// Largest depth \[m\].
    depth: f64,
    /// Normal of the deepest contact, from the first body into the second.
    normal: Vector3<f64>,
    /// Sum of the stiffnesses \[N/m\].
    stiffness: f64,
}

/// Pairs of bodies that touch at the positions `q`, including gaps up to `margin`.
fn touching(world: &CollisionWorld, tree: &Tree, q: &[f64], margin: f64) -> BTreeMap<[usize; 2], Deepest> {
    let mut deepest: BTreeMap<[usize; 2], Deepest> = BTreeMap::new();
    if !q.iter().all(|x| x.is_finite()) {
        return deepest;
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
    world.contacts(&p_WB, &R_WB, margin, &mut Query::default(), &mut contacts);
    for contact in &contacts {
        let (a, b, normal) = (contact.body_a, contact.body_b, Vector3::from(contact.normal));
        let (pair, normal) = if a < b { ([a, b], normal) } else { ([b, a], -normal) };
        let known = deepest.entry(pair).or_insert(Deepest { depth: 0.0, normal, stiffness: 0.0 });
        known.stiffness += contact.stiffness;
        if contact.depth > known.depth {
            (known.depth, known.normal) = (contact.depth, normal);
        }
    }
    deepest
}

/// Flags of the kinematic trees that float.
struct Floating(Vec<bool>);

impl Floating {
    fn of(tree: &Tree) -> Self {
        let bodies = tree.bodies();
        let mut floats = vec![false; bodies.len()];
        for joint in tree.joints().iter().filter(|joint| joint.velocities.len() == 6) {
            if let Some(tree) = bodies[joint.body].tree {
                floats[tree] = true;
            }
        }
        Floating(floats)
    }

    /// True if a body belongs to a floating tree.
    fn has(&self, tree: &Tree, body: usize) -> bool {
        tree.bodies()[body].tree.is_some_and(|tree| self.0[tree])
    }

    /// The upper and the lower body of a pair, if the upper one floats and the lower one alone supports it.
    fn supported(
        &self,
        tree: &Tree,
        [a, b]: [usize; 2],
        normal: &Vector3<f64>,
        gravity: &Vector3<f64>,
    ) -> Option<[usize; 2]> {
        let up = -gravity.try_normalize(0.0)?;
        let [upper, lower] = match normal.dot(&up) {
            along if along > LEVEL => [b, a],
            along if along < -LEVEL => [a, b],
            _ => return None,
        };
        let bodies = tree.bodies();
        (self.has(tree, upper) && bodies[upper].tree != bodies[lower].tree).then_some([upper, lower])
    }

    /// Mass of all floating bodies \[kg\].
    fn mass(&self, tree: &Tree) -> f64 {
        let masses = tree.bodies().iter().enumerate().filter(|(body, _)| self.has(tree, *body));
        masses.filter_map(|(_, body)| body.inertia.as_ref()).map(|inertia| inertia.mass).sum()
    }
}
