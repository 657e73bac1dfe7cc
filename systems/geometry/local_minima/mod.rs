//! Contact points of meshes that are not convex: one at each local minimum of the distance.
//!
//! Two convex bodies have one direction of contact. Threads of a screw in its nut, two gears, a key in a lock touch in
//! many places at once, each with a normal of its own, and a decomposition into convex parts costs too much. Here every
//! pair of features (vertex, edge, face) of two meshes within reach is tested for a local minimum of the distance
//! ([`pair`]); the results are points that a solver treats like any others. Meshes and convex shapes touch face by
//! face, the same method with one result per face ([`mesh_touch`](super::mesh_touch)), and two convex shapes have one
//! connected set of nearest points, the manifold.
//!
//! **Overlaps.** If surfaces have passed through each other, a vertex below one face is below others, too, beyond the
//! edges of the first: a box at the rim of a table is also inside its side, a hand deep. The right contact is the
//! shallowest one, and all others that remain when the bodies are moved apart by it. So points are taken from the
//! shallowest on; a point is left out if it is not within its features any more once B is moved out of the points taken
//! already. For two convex bodies the result is their depth and the points that lie flat beside it. Points deeper than
//! [`MAX_DEPTH`] of the smaller mesh are not searched for.
//!
//! **Shares.** Points with similar normals share the stiffness of the pair, so that a face that lies flat is no stiffer
//! for its many corners; walls that face each other have the full stiffness each ([`shares`]).
//!
//! Source of the cones and of the name: Ortega, Redon and Coquillart 2007, "A six degree-of-freedom god-object method";
//! Merlhiot 2007, "A robust, efficient and time-stepping compatible collision detection method for non-smooth contact
//! between rigid bodies of arbitrary shape" (local minimal distances).

mod pair;
mod plane;

use super::Touch;
use super::box_tree::Candidates;
use super::exact_mesh::ExactMesh;
use super::shares::{self, SHALLOW};
use nalgebra::{Isometry3, Vector3};
use pair::{Pair, Placed};
use std::cell::RefCell;

pub(super) use plane::touches as plane_touches;

/// Depth up to which points are searched for, relative to the radius of the smaller mesh.
const MAX_DEPTH: f64 = 0.02;

/// Distance within which points with similar normals are one, relative to the radius of the smaller mesh.
const SAME_POINT: f64 = 1e-3;

/// Least cosine between the normals of one point: 1 degree.
const SAME_NORMAL: f64 = 0.999_848;

/// Additional distance by which B is moved out of a point taken, relative to its depth.
const BEYOND_DEPTH: f64 = 1e-3;

/// Cosine of the angle from which on normals have nothing in common.
const UNLIKE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A local minimum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Minimum {
    pair: Pair,
    p: Vector3<f64>,
    /// Unit normal from A into B.
    normal: Vector3<f64>,
    depth: f64,
    /// Weight of the minimum.
    weight: f64,
}

#[derive(Default)]
struct Workspace {
    candidates: Candidates,
    found: Vec<Minimum>,
    kept: Vec<Minimum>,
}

thread_local! {
    /// Kept so that a query allocates nothing after warm-up.
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// Appends the contact points of two meshes; none if one is no manifold.
pub(super) fn touches(
    a: &ExactMesh,
    X_WA: &Isometry3<f64>,
    b: &ExactMesh,
    X_WB: &Isometry3<f64>,
    margin: f64,
    out: &mut Vec<Touch>,
) {
    let (Ok(of_a), Ok(of_b)) = (a.features(), b.features()) else { return };
    let X_AB = X_WA.inv_mul(X_WB);
    let pose = X_AB.translation.vector.iter().chain(X_AB.rotation.coords.iter());
    if !pose.clone().all(|x| x.is_finite()) {
        return;
    }
    let size = a.radius().min(b.radius());
    // The contacts that share the stiffness do not depend on the margin of the query.
    let (reach, limit) = (margin.max(SHALLOW * size), MAX_DEPTH * size);
    let a = Placed { mesh: a, features: of_a, X: Isometry3::identity() };
    let b = Placed { mesh: b, features: of_b, X: X_AB };
    WORKSPACE.with_borrow_mut(|Workspace { candidates, found, kept }| {
        found.clear();
        a.features.tree.pairs(&b.features.tree, &X_AB, reach.max(limit), candidates);
        let mut offer = |pair: Pair| {
            let Some(nearest) = pair.nearest(&a, &b, &Vector3::zeros(), size) else { return };
            if !(nearest.gap < reach && nearest.gap > -limit) {
                return;
            }
            let weight = pair.counts(&a, &b, &nearest.normal);
            if weight > 0.0 {
                let p = (nearest.p_A + nearest.p_B) * 0.5;
                found.push(Minimum { pair, p, normal: nearest.normal, depth: -nearest.gap, weight });
            }
        };
        for &(t, u) in &candidates.pairs {
            let (vertices, others) = (a.features.own_vertices.of(t), b.features.own_vertices.of(u));
            let (edges, crossing) = (a.features.own_edges.of(t), b.features.own_edges.of(u));
            for &v in vertices {
                offer(Pair::VertexFace(v, u));
                crossing.iter().for_each(|&e| offer(Pair::VertexEdge(v, e)));
                others.iter().for_each(|&w| offer(Pair::Vertices(v, w)));
            }
            others.iter().for_each(|&w| offer(Pair::FaceVertex(t, w)));
            for &e in edges {
                others.iter().for_each(|&w| offer(Pair::EdgeVertex(e, w)));
                crossing.iter().for_each(|&f| offer(Pair::Edges(e, f)));
            }
        }
        held(found, kept, &a, &b, size);
        append(kept, X_WA, margin, size, out);
    });
}

/// Keeps the valid minima of overlaps, from the shallowest on, and all minima that are apart.
fn held(found: &mut [Minimum], kept: &mut Vec<Minimum>, a: &Placed<'_>, b: &Placed<'_>, size: f64) {
    kept.clear();
    found.sort_unstable_by(|x, y| x.depth.total_cmp(&y.depth).then(x.pair.cmp(&y.pair)));
    for minimum in found.iter() {
        let overlaps = |other: &&Minimum| other.depth > 0.0 && minimum.depth > other.depth;
        let is_within = |other: &Minimum| {
            let way = other.normal * (other.depth * (1.0 + BEYOND_DEPTH));
            minimum.pair.nearest(a, b, &way, size).is_some()
        };
        if kept.iter().filter(overlaps).all(is_within) {
            kept.push(*minimum);
        }
    }
    // Of points at one place the deepest.
    kept.reverse();
    let near = SAME_POINT * size;
    let mut count = 0;
    for i in 0..kept.len() {
        let own = kept[i];
        let is_same =
            |q: &Minimum| (q.p - own.p).norm_squared() <= near * near && q.normal.dot(&own.normal) >= SAME_NORMAL;
        if let Some(q) = kept[..count].iter_mut().find(|q| is_same(q)) {
            q.weight = q.weight.max(own.weight);
        } else {
            kept[count] = own;
            count += 1;
        }
    }
    kept.truncate(count);
}

/// Appends points with their shares.
fn append(kept: &[Minimum], X_WA: &Isometry3<f64>, margin: f64, size: f64, out: &mut Vec<Touch>) {
    let deepest = kept.iter().map(|q| q.depth).fold(f64::NEG_INFINITY, f64::max);
    let layer = deepest.max(SHALLOW * size);
    for own in kept.iter().filter(|q| q.depth > -margin) {
        let alike = |q: &Minimum| ((q.normal.dot(&own.normal) - UNLIKE) / (1.0 - UNLIKE)).clamp(0.0, 1.0);
        let all: f64 = kept.iter().map(|q| alike(q) * q.weight * shares::reach(q.depth, deepest, size) / layer).sum();
        out.push(Touch {
            p_WC: X_WA.rotation * own.p + X_WA.translation.vector,
            normal: X_WA.rotation * own.normal,
            depth: own.depth,
            share: own.weight / all.max(1.0),
            feature: own.pair.number(),
        });
    }
}
