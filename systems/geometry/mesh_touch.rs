//! Contact of a bounded convex shape with a mesh: with each face by itself, as between two convex solids.
//!
//! A face does not know the faces beside it, so a shape on a plane of many faces would also touch their edges, along
//! directions that lean. A direction of contact n is valid only if the mesh around the vertices that reach farthest
//! along n stays below them: no neighbour u of such a vertex v has `n·(u - v) > 0`; if the two vertices of an edge
//! reach farthest, the condition is on the faces on both of its sides. Otherwise the edge lies within a plane or a
//! hollow, another face is really touched there, and this one touches only the part straight above it: the direction is
//! its own normal, and only the part within its outline counts. So a ball that rolls over an edge within a plane feels
//! none: it touches one face before it, and the other behind it, at the same place.
//!
//! Of the faces around such a vertex that are touched along n, the one that faces n most represents the others, as the
//! face of a polyhedron does. Contact found along a normal has the less weight, the more the direction of contact
//! differs from the normal, and the deeper the part seen is than the part touched: a shape that only grazes the rim of
//! a face does not lie on it.
//!
//! Faces share the stiffness of the pair. Each contact has a measure (the area of its outline; a segment and a point
//! count as if they were as wide as they are deep), and its share is its measure among those of all contacts with
//! similar normals: the walls of a corner push each by themselves, parts of a plane together as one plane would.
//! Contacts that do not lie within the depth of the pair have no weight, like the points of
//! [`shares`](super::super::shares).
//!
//! A round shape beside an edge within a hollow touches the faces on both sides in one point each. Where it leaves one
//! of them, that contact is still as deep as the other, but for the curvature of the shape. Up to there its measure
//! fades with the difference of depths ([`fade`]), so that the force does not jump.
//!
//! A wide face that is only just met would leave almost no share to a deep point, and carry nothing itself. Therefore
//! contacts along about one direction carry no less than one corner of a square of the same depth ([`addition`]).
//!
//! A face that is not reached yet, and that no contact represents, makes a watch point with nearly no stiffness, by
//! which integrators see that it could be met.

use super::ConvexHull;
use super::box_tree::Candidates;
use super::exact_mesh::ExactMesh;
use super::manifold::{self, Contacts};
use super::normal::contact_normal;
use super::plane::NEGLIGIBLE;
use super::shares::{self, ONE_CORNER, SHALLOW};
use super::solid::{Solid, overlap, support};
use super::{Points, Shape, Touch, aabb};
use nalgebra::{Isometry3, Vector3};
use std::cell::RefCell;

/// Height by which a neighbour may rise, relative to the length of the edge.
const LEVEL: f64 = 1e-6;

/// Least width of a segment and a point, for their measure, relative to the size of a shape.
const MIN_WIDTH: f64 = 1e-5;

/// Least cosine of the angle between directions that count as one.
const SAME_DIRECTION: f64 = 1.0 - 1e-12;

/// Least cosine, between the direction in which a face is touched and its normal, for the full weight of contact found
/// along the normal; below it the weight falls.
const FACING: f64 = 0.25;

/// Share of a watch point.
const WATCH: f64 = 1e-6;

/// Cosine of the angle from which on normals have nothing in common.
const UNLIKE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The points of one face of a mesh with the shape.
#[derive(Clone, Copy, Debug)]
struct Group {
    face: u32,
    /// A face that represents this one, if it is touched along the same direction.
    better: Option<u32>,
    /// Range of its points among all.
    start: usize,
    end: usize,
    normal: Vector3<f64>,
    deepest: f64,
    measure: f64,
    /// Weight of its contact.
    counts: f64,
    /// Fraction of the stiffness of the pair, by its measure.
    share: f64,
}

/// Buffers of a query.
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

/// Appends the contact points of a mesh and a bounded convex shape, with normals out of the mesh.
pub(super) fn touches(
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
    // The contacts that share the stiffness do not depend on the margin of the query.
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
        // Groups that another face represents are dropped.
        for i in 0..groups.len() {
            let (better, normal) = (groups[i].better, groups[i].normal);
            let speaks = |g: &Group| better == Some(g.face) && g.normal.dot(&normal) > SAME_DIRECTION;
            if better.is_some() && groups.iter().any(speaks) {
                groups[i].end = groups[i].start;
            }
        }
        groups.retain(|g| g.start < g.end);
        for i in 0..groups.len() {
            groups[i].measure *= fade(i, groups, found).max(WATCH);
        }
        let deepest = groups.iter().map(|g| g.deepest).fold(f64::NEG_INFINITY, f64::max);
        for i in 0..groups.len() {
            groups[i].share = share(i, groups, deepest, solid.size());
        }
        for (i, group) in groups.iter().enumerate() {
            let own = group.share + addition(i, groups, found, deepest, solid.size());
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

/// Factor of the measure of a group of one point beside deeper ones.
///
/// If a shape of the radius of curvature R touches the planes of two faces, its points are `R |n - n'|` apart. Its
/// centre of curvature is `R - depth` above the face, and over the edge between them where the other face is deeper by
///
/// ```text
/// (R - depth) (1 - n·n')
/// ```
///
/// Beyond that it touches only the other face.
fn fade(i: usize, groups: &[Group], found: &[Touch]) -> f64 {
    let point = |g: &Group| (g.end == g.start + 1 && g.measure > 0.0).then(|| &found[g.start]);
    let Some(own) = point(&groups[i]) else { return 1.0 };
    let of_shape = |t: &Touch| t.p_WC - t.normal * (0.5 * t.depth);
    let deeper = groups.iter().filter_map(point).filter(|other| other.depth > own.depth);
    deeper.fold(1.0, |left, other| {
        let alike = own.normal.dot(&other.normal);
        let radius = (of_shape(own) - of_shape(other)).norm() / (own.normal - other.normal).norm();
        let farthest = (radius - own.depth) * (1.0 - alike);
        // A corner has no radius, and directions that have nothing in common share nothing.
        if alike <= UNLIKE || alike > SAME_DIRECTION || farthest <= 0.0 {
            return left;
        }
        left * (1.0 - (other.depth - own.depth) / farthest).clamp(0.0, 1.0)
    })
}

/// The fraction of the stiffness of the pair that a group gets.
fn share(i: usize, groups: &[Group], deepest: f64, size: f64) -> f64 {
    let layer = deepest.max(SHALLOW * size);
    let counts = |g: &Group| shares::reach(g.deepest, deepest, size) / layer * g.measure;
    let own = &groups[i];
    if own.measure == 0.0 {
        return 1.0;
    }
    let others = groups.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, g)| likeness(own, g) * counts(g));
    own.measure / (own.measure + others.sum::<f64>())
}

/// Similarity of two normals, from 0 to 1.
fn likeness(a: &Group, b: &Group) -> f64 {
    ((a.normal.dot(&b.normal) - UNLIKE) / (1.0 - UNLIKE)).clamp(0.0, 1.0)
}

/// Additional share of a group, so that groups that push along similar directions carry no less than one corner of a
/// square of the same depth: a wide face that is only just met takes nearly all the share of a deep point, and carries
/// nothing yet.
fn addition(i: usize, groups: &[Group], found: &[Touch], deepest: f64, size: f64) -> f64 {
    let reach = |g: &Group| shares::reach(g.deepest, deepest, size);
    let own = &groups[i];
    let alone = reach(own) * own.counts;
    if own.measure == 0.0 || alone <= 0.0 {
        return 0.0;
    }
    let alike = || groups.iter().map(|g| (likeness(own, g), g)).filter(|(part, g)| *part > 0.0 && g.measure > 0.0);
    let of_points = |g: &Group| -> f64 {
        found[g.start..g.end].iter().map(|t| t.share * shares::reach(t.depth, deepest, size)).sum()
    };
    let carried: f64 = alike().map(|(part, g)| part * g.share * of_points(g)).sum();
    let missing = (ONE_CORNER * alone - carried).max(0.0);
    if missing == 0.0 {
        return 0.0;
    }
    // The deepest get most of it.
    let weight = |g: &Group| reach(g).powi(4) * g.counts;
    let weights: f64 = alike().map(|(part, g)| part * weight(g)).sum();
    missing / alone * weight(own) / weights
}

/// The contact points of one face; `None` if it has none.
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
    let pyramid = face.pyramid(&mesh.vertices)?;
    let plate = Solid::of_hull(pyramid);
    let (n, depth) = contact_normal(&plate, solid, reach)?;
    let start = found.len();
    let mut contacts = Contacts::new(reach);
    let claim = claim(mesh, f as u32, pyramid, &n);
    // Weight of the points.
    let mut counts = 1.0;
    let mut better = None;
    match claim {
        Claim::Own => manifold::touches_along(&plate, solid, n, depth, true, &mut contacts),
        Claim::OfAnother(other) => {
            better = Some(other);
            manifold::touches_along(&plate, solid, n, depth, true, &mut contacts);
        }
        // The direction lies behind the face.
        Claim::None if n.dot(&face.normal) <= 0.0 => return None,
        Claim::None => {
            let seen = overlap(&plate, solid, &face.normal);
            if seen <= -reach {
                return None;
            }
            counts = (n.dot(&face.normal) / FACING).min(1.0);
            if seen > 0.0 {
                counts *= (depth / seen).clamp(0.0, 1.0);
            }
            manifold::touches_along(&plate, solid, face.normal, seen, false, &mut contacts);
        }
    }
    let measure = contacts.measure(contacts.deepest.max(MIN_WIDTH * solid.size()));
    contacts.append(points, &Isometry3::identity(), found);
    if counts <= NEGLIGIBLE {
        found.truncate(start);
    }
    found[start..].iter_mut().for_each(|t| t.share *= counts);
    let measure = counts * measure;
    let mut group = Group {
        face: f as u32,
        better,
        start,
        end: found.len(),
        normal: contacts.normal,
        deepest: contacts.deepest,
        measure,
        counts,
        share: 0.0,
    };
    if start == group.end {
        let gap = overlap(&plate, solid, &face.normal);
        if !watch || claim != Claim::None || gap >= 0.0 {
            return None;
        }
        let p_WC = support(solid, &-face.normal) + face.normal * (0.5 * gap);
        found.push(Touch { p_WC, normal: face.normal, depth: gap, share: WATCH, feature: 0 });
        group = Group { end: found.len(), normal: face.normal, deepest: gap, measure: 0.0, ..group };
    }
    number(f, &mut found[start..]);
    Some(group)
}

/// Numbers the points of a face uniquely within the mesh.
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

/// Relation of a face to a direction.
#[derive(Clone, Copy, PartialEq)]
enum Claim {
    /// The face is touched along it.
    Own,
    /// Another face around the vertices that reach farthest along it, the one that faces it most, is touched along it.
    OfAnother(u32),
    /// No face is touched along it: the mesh rises beside the vertices that reach farthest along it.
    None,
}

fn claim(mesh: &ExactMesh, f: u32, pyramid: &ConvexHull, n: &Vector3<f64>) -> Claim {
    let face = &mesh.faces[f as usize];
    let facing = n.dot(&face.normal);
    // The face itself.
    if facing > 1.0 - 1e-14 {
        return Claim::Own;
    }
    let top = || pyramid.top(n, 1e-7 * pyramid.radius);
    let mut corners = top().map(|i| face.corners.get(i).copied());
    if let (Some(Some(a)), Some(Some(b)), None) = (corners.next(), corners.next(), corners.next())
        && let Some(claim) = claim_of_edge(mesh, f, [a, b], n)
    {
        return claim;
    }
    let (mut claim, mut most) = (Claim::Own, facing + LEVEL);
    for i in top() {
        // The apex is behind the face.
        let Some(&vertex) = face.corners.get(i) else { return Claim::None };
        if mesh.neighbours.of(vertex).iter().any(|&u| rises(mesh, vertex, u, n)) {
            return Claim::None;
        }
        for &f in mesh.around.of(vertex) {
            let other = n.dot(&mesh.faces[f as usize].normal);
            if other > most {
                (claim, most) = (Claim::OfAnother(f), other);
            }
        }
    }
    claim
}

/// True if the mesh rises along `n` from one vertex to another.
fn rises(mesh: &ExactMesh, from: u32, to: u32, n: &Vector3<f64>) -> bool {
    let way = mesh.vertices[to as usize] - mesh.vertices[from as usize];
    n.dot(&way) > LEVEL * way.norm()
}

/// Relation of an edge of a face to a direction, regardless of the mesh beside its ends. `None` if no other face has
/// that edge.
fn claim_of_edge(mesh: &ExactMesh, f: u32, [a, b]: [u32; 2], n: &Vector3<f64>) -> Option<Claim> {
    let mut most = n.dot(&mesh.faces[f as usize].normal) + LEVEL;
    let mut claim = None;
    for &other in mesh.around.of(a).iter().filter(|&other| *other != f && mesh.around.of(b).contains(other)) {
        let face = &mesh.faces[other as usize];
        if face.corners.iter().any(|&u| rises(mesh, a, u, n)) {
            return Some(Claim::None);
        }
        let facing = n.dot(&face.normal);
        claim = claim.or(Some(Claim::Own));
        if facing > most {
            (claim, most) = (Some(Claim::OfAnother(other)), facing);
        }
    }
    claim
}
