//! Where a bounded convex shape touches a mesh: at each face by itself, as two convex solids touch.
//!
//! A face knows nothing of the faces beside it, so that a shape on a plane of many faces would also touch their edges,
//! along directions that lean. A direction of contact n is right only where the mesh around the vertices that reach
//! farthest along n stays below them: no neighbour u of such a vertex v has `n·(u - v) > 0`. Otherwise the edge lies
//! within a plane or a hollow, what is really touched there is another face, and this one touches only what is straight
//! above it: the direction is its own normal, and only what is seen within its outline counts. So a ball that rolls
//! over an edge within a plane feels none: it touches one face before it, and the other behind it, at the same place.
//!
//! Faces share the stiffness of the pair. Each contact has a measure (the area of its outline; the length of a segment
//! or a point count for little, so that they matter where there are no areas), and its share is its measure among those
//! of all contacts whose normals are like its own: walls of a corner push each by themselves, parts of a plane together
//! as one plane would. Contacts whose depth is less than that of the pair by more than it count for nothing, as the
//! points of [`shares`](super::super::shares).
//!
//! What does not count keeps watch: a face that is not reached yet, and that no contact speaks for, makes a point with
//! nearly no stiffness, by which integrators see that it could be met.

use super::super::manifold::{self, Contacts};
use super::super::normal::contact_normal;
use super::super::shares::{self, SHALLOW};
use super::super::solid::{Solid, overlap, support};
use super::super::{Points, Shape, Touch, aabb};
use super::{ExactMesh, MeshFace};
use crate::geometry::hydroelastic::tree::Candidates;
use nalgebra::{Isometry3, Vector3};
use std::cell::RefCell;

/// Relative to the length of an edge: how far a neighbour may stand out.
const LEVEL: f64 = 1e-6;

/// Relative to the size of a shape and its square: what a length and a point measure.
const OF_LENGTH: f64 = 1e-5;
const OF_POINT: f64 = 1e-10;

/// The share of a point that keeps watch.
const WATCH: f64 = 1e-6;

/// The cosine of the angle from which on normals have nothing in common.
const UNLIKE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The points of one face of a mesh with the shape.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Its points, among all.
    start: usize,
    end: usize,
    normal: Vector3<f64>,
    deepest: f64,
    measure: f64,
}

/// Memory of a query.
#[derive(Default)]
struct Workspace {
    candidates: Candidates,
    groups: Vec<Group>,
    found: Vec<Touch>,
}

thread_local! {
    /// Kept so that a query allocates nothing after warm-up.
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// Appends the points of a mesh and a bounded convex shape, normals out of the mesh.
pub(in super::super) fn touches(
    mesh: &ExactMesh,
    X_WM: &Isometry3<f64>,
    shape: &Shape,
    X_WS: &Isometry3<f64>,
    points: Points,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let X_MS = X_WM.inv_mul(X_WS);
    let Some(solid) = Solid::new(shape, &X_MS) else { return };
    // What shares the stiffness does not depend on how far is looked.
    let reach = margin.max(SHALLOW * solid.size());
    let bounds = aabb(shape, &X_MS).inflated(reach);
    if !bounds.min.iter().chain(bounds.max.iter()).all(|x| x.is_finite()) {
        return;
    }
    WORKSPACE.with_borrow_mut(|Workspace { candidates, groups, found }| {
        groups.clear();
        found.clear();
        mesh.tree.near_box([bounds.min, bounds.max], candidates);
        for &(f, _) in &candidates.pairs {
            let watch = margin > 0.0;
            if let Some(group) = of_face(mesh, f as usize, &solid, points, reach, watch, found) {
                groups.push(group);
            }
        }
        let deepest = groups.iter().map(|g| g.deepest).fold(f64::NEG_INFINITY, f64::max);
        for (i, group) in groups.iter().enumerate() {
            let own = share(i, groups, deepest, solid.size());
            let counts = |t: &&Touch| t.depth > -margin;
            out.extend(found[group.start..group.end].iter().filter(counts).map(|t| Touch {
                p_WC: X_WM.rotation * t.p_WC + X_WM.translation.vector,
                normal: X_WM.rotation * t.normal,
                share: t.share * own,
                ..*t
            }));
        }
    });
}

/// The part of the stiffness of the pair that a group has.
fn share(i: usize, groups: &[Group], deepest: f64, size: f64) -> f64 {
    let layer = deepest.max(SHALLOW * size);
    let counts = |g: &Group| shares::reach(g.deepest, deepest, size) / layer * g.measure;
    let own = &groups[i];
    if own.measure == 0.0 {
        return 1.0;
    }
    let others = groups.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, g)| {
        let alike = (own.normal.dot(&g.normal) - UNLIKE) / (1.0 - UNLIKE);
        alike.clamp(0.0, 1.0) * counts(g)
    });
    own.measure / (own.measure + others.sum::<f64>())
}

/// The points of one face, if it has any.
fn of_face(
    mesh: &ExactMesh,
    f: usize,
    solid: &Solid<'_>,
    points: Points,
    reach: f64,
    watch: bool,
    found: &mut Vec<Touch>,
) -> Option<Group> {
    let face = &mesh.faces[f];
    let plate = Solid::of_hull(&face.pyramid);
    let (n, depth) = contact_normal(&plate, solid, reach)?;
    let start = found.len();
    let mut contacts = Contacts::new(reach);
    let is_own = is_right(mesh, face, &n);
    if is_own {
        manifold::touches_along(&plate, solid, n, depth, true, &mut contacts);
    } else if n.dot(&face.normal) <= 0.0 {
        // Behind the face.
        return None;
    } else {
        let depth = overlap(&plate, solid, &face.normal);
        if depth <= -reach {
            return None;
        }
        manifold::touches_along(&plate, solid, face.normal, depth, false, &mut contacts);
    }
    let measure = contacts.measure(OF_LENGTH, OF_POINT * solid.size().powi(2), solid.size());
    contacts.append(points, &Isometry3::identity(), found);
    let mut group = Group { start, end: found.len(), normal: contacts.normal, deepest: contacts.deepest, measure };
    if start == group.end {
        let gap = overlap(&plate, solid, &face.normal);
        if !watch || is_own || gap >= 0.0 {
            return None;
        }
        let p_WC = support(solid, &-face.normal) + face.normal * (0.5 * gap);
        found.push(Touch { p_WC, normal: face.normal, depth: gap, share: WATCH, feature: 0 });
        group = Group { end: found.len(), normal: face.normal, deepest: gap, measure: 0.0, ..group };
    }
    number(f, &mut found[start..]);
    Some(group)
}

/// Numbers the points of a face: no two of a mesh of so many faces have the same.
fn number(f: usize, touches: &mut [Touch]) {
    const BITS: u32 = 6;
    for i in 0..touches.len() {
        let (before, rest) = touches.split_at_mut(i);
        let mut own = rest[0].feature & ((1 << BITS) - 1);
        let full = |own: u32| (f as u32) << BITS | own;
        for _ in 0..1 << BITS {
            if before.iter().all(|t| t.feature != full(own)) {
                break;
            }
            own = (own + 1) & ((1 << BITS) - 1);
        }
        rest[0].feature = full(own);
    }
}

/// Whether the mesh stays below the vertices of the face that reach farthest along `n`.
fn is_right(mesh: &ExactMesh, face: &MeshFace, n: &Vector3<f64>) -> bool {
    // The face itself.
    if n.dot(&face.normal) > 1.0 - 1e-14 {
        return true;
    }
    let is_below = |vertex: u32| {
        let v = mesh.vertices[vertex as usize];
        mesh.neighbours(vertex).all(|u| {
            let way = u - v;
            n.dot(&way) <= LEVEL * way.norm()
        })
    };
    // The apex is behind the face.
    face.pyramid.top(n, 1e-7 * face.pyramid.radius).all(|i| face.corners.get(i).is_some_and(|&v| is_below(v)))
}
