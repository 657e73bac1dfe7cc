//! Collision shapes of a plant, the pairs of them that may touch, and their contacts.
//!
//! Two shapes never touch if they are on one body, if both are fixed to the world, if their links are welded together,
//! or if the rigid bodies of their links are connected by a joint: a hand welded to the last link of an arm is a
//! neighbour of the link before it, just as that last link is. Pairs of bodies can be excluded besides, and files may
//! filter the contacts of each shape by bits.
//!
//! Longer than 600 lines: filters, pairs and queries read the same tables of shapes, which nothing else may change.

use super::adhesion::Stickiness;
use super::collision_geometry::Geometry;
use super::collision_links::Links;
use super::excluded::Excluded;
use super::friction_arm;
use super::grain::{self, ShapeGrain};
use super::material::{ContactParameters, Material};
use super::model::{Collisions, PlantModel};
use super::narrow_phase::{NarrowPhase, PairScratch};
use super::pair_surface::{NEGLIGIBLE, PairSurface, material_by_moduli, pair_material, pair_resistance, part_of};
use super::patch_pair::PatchPair;
use super::press::Pressed;
use super::pressure_field::PressureField;
use super::volume::{Overlapping, VolumeSide};
use crate::Tree;
use crate::fibre::Fade;
use crate::scene_data::TouchingPair;
use kinegraph_core::convex::{ContactPoint, FEATURE_BITS, POLYGON};
use kinegraph_geometry as geometry;
use kinegraph_geometry::{Aabb, Neighbours, Shape};
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Two shapes that touch despite all filters, by index, the smaller first, and the surface of the pair.
#[derive(Clone, Debug)]
struct Included {
    shapes: [usize; 2],
    materials: [Material; 2],
    resistance: [f64; 2],
    margin: f64,
    stickiness: Stickiness,
}

/// All collision shapes of a plant, with their filters.
#[derive(Clone, Debug)]
pub(super) struct CollisionWorld {
    /// Distinguishes this world from every other one, so that a workspace knows to which world its poses and neighbours
    /// belong. Clones are the same world.
    pub id: u64,
    geometries: Vec<Geometry>,
    pub parameters: ContactParameters,
    /// True if any surface resists spinning or rolling.
    pub resists: bool,
    /// For each body: the outermost body that it is welded to, and the outermost one other than the world.
    rigid_group: Vec<usize>,
    assembly: Vec<usize>,
    /// For each assembly: the assembly that a joint connects it to.
    joined: Vec<Option<usize>>,
    excluded: Excluded,
    /// Pairs of shapes that touch despite all filters, sorted.
    included: Vec<Included>,
    movable: Vec<bool>,
    /// Distance from each body's origin to its farthest point.
    pub reach: Vec<f64>,
    /// Half extents of a box about its origin, along its axes, that contains its shapes.
    pub extents: Vec<[f64; 3]>,
    /// Half the thickness of its thinnest shape.
    pub thickness: Vec<f64>,
    /// Largest distance by which boxes are grown for a sweep \[m\].
    slack: f64,
}

/// Reasons why two shapes do not touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// They do not move relative to each other.
    Rigid,
    /// Their bodies are connected by a joint, or welded to bodies that are.
    Joined,
    /// The bits of their surfaces exclude each other.
    Bits,
    /// Their bodies are excluded, by name or because they overlap at the start.
    Excluded { at_start: bool },
    /// One of them collides with the ground only.
    GroundOnly,
}

/// Workspace of a contact query.
#[derive(Clone, Debug, Default)]
pub(super) struct Query {
    /// Id of the world of the last query; zero: none.
    of: u64,
    /// Poses of the geometries; those of geometries that never move are written once.
    poses: Vec<Isometry3<f64>>,
    bounds: Vec<Aabb>,
    /// The bounds grown by the margin of the query.
    boxes: Vec<Aabb>,
    neighbours: Neighbours,
    /// The pairs of shapes whose boxes overlap.
    pairs: Vec<(u32, u32)>,
    narrow: NarrowPhase,
    /// Number of threads that examine pairs; 0 counts as 1.
    pub threads: usize,
}

/// Fraction of the mean size of moving shapes by which boxes are grown for a sweep. With more, the list would hold
/// nearly all pairs; with less, it would change soon, since most steps are short.
const MARGIN_RATIO: f64 = 0.25;

/// Instructions of a pair of shapes: a ball with any other, a plane, and shapes with faces.
const OF_A_BALL: usize = 600;
const OF_A_PLANE: usize = 4_000;
const OF_OTHERS: usize = 26_000;

/// Bits of a key that name a shape.
const SHAPE_BITS: u32 = 19;

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
            let name = "ground".into();
            geometries.push(Geometry {
                name,
                body: 0,
                X_BG,
                shape,
                material,
                surface: None,
                grain: None,
                collisions,
                ground: true,
                pressure: None,
                volume: None,
                skin: 0.0,
                fade: None,
            });
        }
        for model in models.iter().filter(|m| m.collisions != Collisions::None) {
            for link in &model.model.links {
                let Some(body) = tree.body(&format!("{}/{}", model.name, link.name)) else { continue };
                geometries.extend(link.collisions.iter().map(|c| Geometry {
                    name: c.name.clone(),
                    body,
                    X_BG: c.X_BG,
                    shape: c.shape.clone(),
                    material: c.surface.map_or(material, |s| Material::of(&s)),
                    surface: c.surface,
                    grain: c.surface.and_then(|s| Some(ShapeGrain::new(&s.grain?, &c.X_BG))),
                    collisions: model.collisions,
                    ground: false,
                    pressure: None,
                    volume: None,
                    skin: c.surface.map_or(0.0, |surface| surface.margin),
                    fade: None,
                }));
            }
        }
        let bodies = tree.bodies();
        let mut rigid_group: Vec<usize> = (0..bodies.len()).collect();
        let mut assembly = rigid_group.clone();
        for b in 1..bodies.len() {
            if bodies[b].joint.is_none() {
                rigid_group[b] = rigid_group[bodies[b].parent];
                if bodies[b].parent != 0 {
                    assembly[b] = assembly[bodies[b].parent];
                }
            }
        }
        let links = Links::new(tree, models);
        let parents = bodies.iter().map(|b| b.joint.map(|_| links.beyond(b.parent, tree)).filter(|&p| p != 0));
        // Links that a file fixes to its world count as the world: links attached to them by a joint may touch them.
        let part_of_world = |p: usize| rigid_group[p] == 0 && links.in_scene[p];
        let joined = parents.map(|parent| parent.filter(|&p| !part_of_world(p)).map(|p| assembly[p])).collect();
        let movable = bodies.iter().map(|b| b.clique.is_some()).collect();
        let mut reach = vec![0.0_f64; bodies.len()];
        let mut extents = vec![[0.0_f64; 3]; bodies.len()];
        for g in geometries.iter().filter(|g| !g.ground) {
            geometry::aabb(&g.shape, &g.X_BG).extend(&mut extents[g.body]);
            reach[g.body] = reach[g.body].max(g.X_BG.translation.vector.norm() + g.shape.bounding_radius());
        }
        let mut thickness = vec![f64::INFINITY; bodies.len()];
        for g in &geometries {
            thickness[g.body] = thickness[g.body].min(g.shape.half_thickness());
        }
        let moving = geometries.iter().filter(|g| bodies[g.body].clique.is_some());
        let (count, sum) = moving.fold((0.0, 0.0), |(n, sum), g| (n + 1.0, sum + g.shape.bounding_radius()));
        let slack = if count > 0.0 { MARGIN_RATIO * sum / count } else { 0.0 };
        let id = new_id();
        let of_plant = parameters.resistance.map(|length| length > 0.0);
        let resists = geometries.iter().any(|g| g.surface.map_or(of_plant, |surface| surface.resists) != [false; 2]);
        CollisionWorld {
            id,
            resists,
            geometries,
            parameters,
            rigid_group,
            assembly,
            joined,
            excluded: Excluded::default(),
            included: Vec::new(),
            movable,
            reach,
            extents,
            thickness,
            slack,
        }
    }

    /// True if a body can move.
    pub fn movable(&self, body: usize) -> bool {
        self.movable[body]
    }

    /// All shapes, the ground first.
    pub fn geometries(&self) -> &[Geometry] {
        &self.geometries
    }

    /// All shapes, to set their materials.
    pub fn geometries_mut(&mut self) -> &mut [Geometry] {
        self.id = new_id();
        &mut self.geometries
    }

    /// Sets the fading of contact of bodies that are pieces of fibres.
    pub fn fade(&mut self, fades: impl IntoIterator<Item = (usize, Fade)>) {
        let of_body: HashMap<usize, Fade> = fades.into_iter().collect();
        for geometry in &mut self.geometries {
            if let Some(fade) = of_body.get(&geometry.body) {
                geometry.fade = Some(*fade);
            }
        }
    }

    /// Enlarges the reach of bodies to that of the meshes of their shapes.
    pub fn grow_by_bulges(&mut self) {
        for g in self.geometries.iter().filter(|g| !g.ground) {
            let farthest = g.X_BG.translation.vector.norm() + g.shape.bounding_radius();
            let reach = farthest + g.bulge();
            self.reach[g.body] = self.reach[g.body].max(reach);
            geometry::aabb(&g.shape, &g.X_BG).inflated(g.bulge()).extend(&mut self.extents[g.body]);
        }
    }

    /// For each side of a contact, A and B: its body, and true if it is the ground.
    pub fn sides(&self, contact: &ContactPoint) -> [(usize, bool); 2] {
        self.shapes_of(contact).map(|i| (self.geometries[i].body, self.geometries[i].ground))
    }

    /// The shapes of a contact, by index, of A and of B.
    pub fn shapes_of(&self, contact: &ContactPoint) -> [usize; 2] {
        let shapes = (contact.key & !POLYGON) >> FEATURE_BITS;
        [shapes >> SHAPE_BITS, shapes & ((1 << SHAPE_BITS) - 1)].map(|shape| shape as usize)
    }

    /// Adhesion of two shapes that are a pair by name, by index.
    pub fn stickiness_of_pair(&self, i: usize, j: usize) -> Option<Stickiness> {
        self.included(i, j).map(|said| said.stickiness)
    }

    /// Adhesion of all pairs by name.
    pub fn stickiness_of_pairs(&self) -> impl Iterator<Item = Stickiness> + '_ {
        self.included.iter().map(|said| said.stickiness)
    }

    /// Excludes pairs of bodies from contact.
    pub fn exclude(&mut self, pairs: impl IntoIterator<Item = [usize; 2]>) {
        self.excluded.pairs(pairs);
        // The neighbours differ now, so this counts as another world.
        self.id = new_id();
    }

    /// Excludes pairs of bodies that overlap at the start from contact.
    pub fn exclude_at_start(&mut self, pairs: &[[usize; 2]]) {
        self.excluded.at_start(pairs);
        self.id = new_id();
    }

    /// Excludes contact between the bodies of each of these ranges.
    pub fn keep_apart(&mut self, ranges: impl IntoIterator<Item = Range<usize>>) {
        self.excluded.within(ranges);
        self.id = new_id();
    }

    /// True if a pair of bodies is excluded, by name or for its overlap.
    pub fn is_excluded(&self, a: usize, b: usize) -> bool {
        self.excluded.has(a, b)
    }

    /// Makes pairs of shapes touch despite all filters. By index among the shapes, in the order of the pair.
    pub fn include<'p>(&mut self, pairs: impl IntoIterator<Item = ([usize; 2], &'p TouchingPair)>) {
        for (mut shapes, pair) in pairs {
            let TouchingPair { stiffness, dissipation, friction, resistance, margin, gap, adhesion, .. } = *pair;
            let mut materials = stiffness.map(|stiffness| Material {
                stiffness,
                dissipation,
                static_friction: friction,
                dynamic_friction: friction,
            });
            if shapes[0] > shapes[1] {
                shapes.reverse();
                materials.reverse();
            }
            for i in shapes {
                let skin = &mut self.geometries[i].skin;
                *skin = skin.max(margin);
            }
            self.resists |= resistance != [0.0; 2];
            let stickiness = Stickiness { gap, adhesion };
            self.included.push(Included { shapes, materials, resistance, margin, stickiness });
        }
        self.included.sort_by_key(|included| included.shapes);
        // The last entry of two shapes counts.
        self.included.reverse();
        self.included.dedup_by_key(|included| included.shapes);
        self.included.reverse();
        self.id = new_id();
    }

    /// The entry of two shapes as a pair by name, by index.
    fn included(&self, i: usize, j: usize) -> Option<&Included> {
        let shapes = [i.min(j), i.max(j)];
        let found = self.included.binary_search_by_key(&shapes, |included| included.shapes);
        found.ok().map(|at| &self.included[at])
    }

    /// Distance at which contact of two shapes begins, by index \[m\].
    pub fn margin_of_pair(&self, i: usize, j: usize) -> f64 {
        if let Some(said) = self.included(i, j) {
            return said.margin;
        }
        [i, j].iter().filter_map(|&i| self.geometries[i].surface).map(|surface| surface.margin).sum()
    }

    /// Contact properties of two shapes, by index: their material, and their resistance to spinning and rolling.
    pub fn touch_as(&self, i: usize, j: usize) -> PairSurface {
        let (a, b) = (&self.geometries[i], &self.geometries[j]);
        if let Some(said) = self.included(i, j) {
            let Included { mut materials, resistance, .. } = *said;
            let friction = materials[0].static_friction;
            if i > j {
                materials.reverse();
            }
            let [of_a, of_b] = materials;
            let pair = of_a.combine(&of_b);
            let material = Material { static_friction: friction, dynamic_friction: friction, ..pair };
            return PairSurface { material, stiffness_part_a: of_a.stiffness_part(&of_b), resistance };
        }
        PairSurface {
            material: pair_material(a, b),
            stiffness_part_a: a.material.stiffness_part(&b.material),
            resistance: pair_resistance(a, b, self.parameters.resistance),
        }
    }

    /// True if two shapes may touch, by index.
    pub fn may_touch(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.geometries[i], &self.geometries[j]);
        if self.included(i, j).is_some() {
            return self.rigid_group[a.body] != self.rigid_group[b.body]
                && (self.movable[a.body] || self.movable[b.body]);
        }
        self.apart(i, j).is_none()
    }

    /// Reason why two shapes that are no pair by name do not touch, by index; `None`: they may.
    pub fn apart(&self, i: usize, j: usize) -> Option<Apart> {
        let (a, b) = (&self.geometries[i], &self.geometries[j]);
        let others_only_ground =
            |g: &Geometry, other: &Geometry| g.collisions == Collisions::GroundOnly && !other.ground;
        let is_joined = |a: &Geometry, b: &Geometry| self.joined[self.assembly[a.body]] == Some(self.assembly[b.body]);
        if self.rigid_group[a.body] == self.rigid_group[b.body] || !(self.movable[a.body] || self.movable[b.body]) {
            Some(Apart::Rigid)
        } else if is_joined(a, b) || is_joined(b, a) {
            Some(Apart::Joined)
        } else if !bits_meet(a, b) {
            Some(Apart::Bits)
        } else if self.is_excluded(a.body, b.body) {
            Some(Apart::Excluded { at_start: self.excluded.is_at_start(a.body, b.body) })
        } else {
            (others_only_ground(a, b) || others_only_ground(b, a)).then_some(Apart::GroundOnly)
        }
    }

    /// Contact points of bodies at the given origins and rotations, including gaps up to `margin`, sorted by bodies.
    pub fn contacts(
        &self,
        p_WB: &[[f64; 3]],
        R_WB: &[[f64; 9]],
        margin: f64,
        query: &mut Query,
        contacts: &mut Vec<ContactPoint>,
    ) {
        self.contacts_but(p_WB, R_WB, margin, |_, _| false, query, contacts);
    }

    /// Contact points of all pairs of shapes but those for which `leaves_out` (of their indices and poses) is true.
    pub fn contacts_but(
        &self,
        p_WB: &[[f64; 3]],
        R_WB: &[[f64; 9]],
        margin: f64,
        mut leaves_out: impl FnMut([usize; 2], [&Isometry3<f64>; 2]) -> bool,
        query: &mut Query,
        contacts: &mut Vec<ContactPoint>,
    ) {
        contacts.clear();
        if self.geometries.len() < 2 {
            return;
        }
        place(self, p_WB, R_WB, query);
        query.boxes.clear();
        query.boxes.extend(query.bounds.iter().map(|b| b.inflated(0.5 * margin)));
        let filter = |i: u32, j: u32| self.may_touch(i as usize, j as usize);
        // In the order of their points, which are then nearly sorted.
        let rank = |i: u32, j: u32| {
            let [a, b] = self.sides_of_pair([i as usize, j as usize]);
            let place = [self.geometries[a].body, self.geometries[b].body, a, b];
            place.into_iter().fold(0, |rank, part| (rank << 32) | part as u128)
        };
        query.pairs.clear();
        query.pairs.extend(query.neighbours.candidates(&query.boxes, self.slack, filter, rank));
        let Query { pairs, poses, narrow, threads, .. } = query;
        pairs.retain(|&(i, j)| {
            let shapes = [i as usize, j as usize];
            !leaves_out(shapes, shapes.map(|shape| &poses[shape]))
        });
        let work = |(i, j): (u32, u32)| self.work([i as usize, j as usize]);
        narrow.contacts(pairs, *threads, contacts, work, |(i, j), scratch, found| {
            let first = found.len();
            self.touch([i as usize, j as usize], poses, margin, scratch, found);
            found[first..].sort_unstable_by_key(|c| c.key);
        });
        // No two points have the same key; a stable sort would allocate for more than twenty.
        contacts.sort_unstable_by_key(|c| (c.body_a, c.body_b, c.key));
    }

    /// Appends the contact points of two shapes, by index, at the poses of the last query, including gaps up to
    /// `margin`.
    pub fn contacts_of(&self, shapes: [usize; 2], margin: f64, query: &mut Query, found: &mut Vec<ContactPoint>) {
        let Query { poses, narrow, .. } = query;
        self.touch(shapes, poses, margin, narrow.scratch(), found);
    }

    /// Estimate of the instructions that the contact points of two shapes take.
    fn work(&self, shapes: [usize; 2]) -> usize {
        let is_any = |is: fn(&Shape) -> bool| shapes.iter().any(|&i| is(&self.geometries[i].shape));
        if is_any(|shape| matches!(shape, Shape::Sphere { .. })) {
            OF_A_BALL
        } else if is_any(|shape| matches!(shape, Shape::HalfSpace)) {
            OF_A_PLANE
        } else {
            OF_OTHERS
        }
    }

    /// Two shapes, by index, as A and B: A has the smaller body index, except that B always moves.
    fn sides_of_pair(&self, [i, j]: [usize; 2]) -> [usize; 2] {
        let (a, b) = (self.geometries[i].body, self.geometries[j].body);
        if !self.movable[b] || (a > b && self.movable[a]) { [j, i] } else { [i, j] }
    }

    /// Appends the contact points of two shapes, by index, including gaps up to `margin`.
    fn touch(
        &self,
        [i, j]: [usize; 2],
        poses: &[Isometry3<f64>],
        margin: f64,
        scratch: &mut PairScratch,
        found: &mut Vec<ContactPoint>,
    ) {
        let first = found.len();
        self.find_points([i, j], poses, margin, scratch, found);
        let (a, b) = (&self.geometries[i], &self.geometries[j]);
        if (a.grain.is_some() || b.grain.is_some()) && self.included(i, j).is_none() {
            grain::lay([(a, &poses[i]), (b, &poses[j])], &mut found[first..]);
        }
    }

    /// Contact points of two shapes, with the same friction in all directions.
    fn find_points(
        &self,
        shapes: [usize; 2],
        poses: &[Isometry3<f64>],
        margin: f64,
        scratch: &mut PairScratch,
        found: &mut Vec<ContactPoint>,
    ) {
        let [i, j] = self.sides_of_pair(shapes);
        let (ga, gb) = (&self.geometries[i], &self.geometries[j]);
        let (X_WA, X_WB) = (&poses[i], &poses[j]);
        let key = ((i as u64) << (FEATURE_BITS + SHAPE_BITS)) | ((j as u64) << FEATURE_BITS);
        let pair_of = |material| PatchPair {
            shapes: [&ga.shape, &gb.shape],
            bodies: [ga.body, gb.body],
            poses: [X_WA, X_WB],
            material,
            key,
        };
        if let Some(fields) = pressed(ga, gb) {
            let pair = pair_of(material_by_moduli(ga, gb, fields.map(|field| field.modulus)));
            Pressed { pair, fields }.append(margin, &mut scratch.surface, &mut scratch.touches, found);
            return;
        }
        if let Some(sides) = overlapping(ga, gb) {
            let pair = pair_of(material_by_moduli(ga, gb, sides.map(|side| side.modulus)));
            Overlapping { pair, sides }.append(margin, &mut scratch.patch, &mut scratch.touches, found);
            return;
        }
        scratch.touches.clear();
        let distance = self.margin_of_pair(i, j);
        let (shapes, margin) = ([&ga.shape, &gb.shape], margin + distance);
        geometry::touches(shapes[0], X_WA, shapes[1], X_WB, self.parameters.points, margin, &mut scratch.touches);
        if scratch.touches.is_empty() {
            return;
        }
        let PairSurface { material: pair, stiffness_part_a, resistance } = self.touch_as(i, j);
        let part = part_of([(ga, X_WA), (gb, X_WB)], &scratch.touches);
        if part < NEGLIGIBLE {
            return;
        }
        let friction_arm = friction_arm::of_touches(shapes, [X_WA, X_WB], &scratch.touches, distance);
        let of_ball = [ga, gb].iter().any(|g| matches!(g.shape, Shape::Sphere { .. }));
        found.extend(scratch.touches.iter().map(|t| ContactPoint {
            body_a: ga.body,
            body_b: gb.body,
            p_WC: t.p_WC.into(),
            normal: t.normal.into(),
            depth: t.depth + distance,
            stiffness: pair.stiffness * t.share * part,
            stiffness_part_a,
            dissipation: pair.dissipation,
            static_friction: pair.static_friction,
            dynamic_friction: pair.dynamic_friction,
            grain: [0.0; 3],
            resistance,
            friction_arm,
            of_ball,
            key: key | u64::from(t.feature & ((1 << FEATURE_BITS) - 1)),
        }));
    }
}

/// True if the kind of either shape is among those that the other touches.
fn bits_meet(a: &Geometry, b: &Geometry) -> bool {
    let bits = |g: &Geometry| g.surface.map_or((1, 1), |s| (s.kind, s.touches));
    let ((kind_a, touches_a), (kind_b, touches_b)) = (bits(a), bits(b));
    kind_a & touches_b != 0 || kind_b & touches_a != 0
}

/// The pressure fields of a pair that touches with a contact surface.
fn pressed<'a>(a: &'a Geometry, b: &'a Geometry) -> Option<[&'a PressureField; 2]> {
    let (a, b) = (a.pressure.as_ref()?, b.pressure.as_ref()?);
    a.field.meets(&b.field).is_ok().then_some([a, b])
}

/// The sides of a pair that touches by its volume.
fn overlapping<'a>(a: &'a Geometry, b: &'a Geometry) -> Option<[&'a VolumeSide; 2]> {
    let (a, b) = (a.volume.as_ref()?, b.volume.as_ref()?);
    a.cannot_meet(b).is_none().then_some([a, b])
}

fn new_id() -> u64 {
    static WORLDS: AtomicU64 = AtomicU64::new(1);
    WORLDS.fetch_add(1, Ordering::Relaxed)
}

/// Poses and bounds of all geometries.
fn place(world: &CollisionWorld, p_WB: &[[f64; 3]], R_WB: &[[f64; 9]], query: &mut Query) {
    let known = query.of == world.id;
    if !known {
        query.of = world.id;
        query.neighbours.forget();
        query.poses.resize(world.geometries.len(), Isometry3::identity());
        query.bounds.resize(world.geometries.len(), Aabb { min: Vector3::zeros(), max: Vector3::zeros() });
    }
    // Geometries of one body are consecutive.
    let (mut body, mut X_WB) = (usize::MAX, Isometry3::identity());
    for ((g, pose), bounds) in world.geometries.iter().zip(&mut query.poses).zip(&mut query.bounds) {
        if known && !world.movable[g.body] {
            continue;
        }
        let (p, R) = (Vector3::from(p_WB[g.body]), Matrix3::from_column_slice(&R_WB[g.body]));
        *pose = if matches!(g.shape, Shape::Sphere { .. }) && g.grain.is_none() {
            // The orientation of a ball does not matter, but for its grain.
            Isometry3::from_parts((p + R * g.X_BG.translation.vector).into(), UnitQuaternion::identity())
        } else {
            if body != g.body {
                let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(R));
                (body, X_WB) = (g.body, Isometry3::from_parts(Translation3::from(p), rotation));
            }
            X_WB * g.X_BG
        };
        *bounds = geometry::aabb(&g.shape, pose);
        if g.pressure.is_some() || g.volume.is_some() {
            *bounds = bounds.inflated(g.bulge());
        }
        if g.skin > 0.0 {
            *bounds = bounds.inflated(g.skin);
        }
    }
}
