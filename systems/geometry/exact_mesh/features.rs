//! The features of a mesh for contact by local minima of the distance: triangles with the kind of their sides, sharp
//! edges, and the triangle that owns each vertex and edge, so that none is found twice.

use super::super::box_tree::Tree;
use super::{ExactMesh, Lists};
use nalgebra::Vector3;
use std::collections::HashMap;

/// Sine of the least angle between two triangles whose edge is sharp.
const SHARP: f64 = 1e-6;

/// Kind of the side of a triangle, by the surface beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// A triangle in the same plane.
    Flat,
    /// A triangle that falls away.
    Convex,
    /// A triangle that rises.
    Concave,
    /// No triangle.
    Rim,
}

/// A convex edge, or the rim of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MeshEdge {
    /// Its vertices.
    pub ends: [u32; 2],
    /// Sum of the outward normals of the triangles that meet in it.
    pub outward: Vector3<f64>,
    /// The unit vectors within those triangles that are normal to the edge; for a rim the same one twice.
    pub inward: [Vector3<f64>; 2],
}

/// All features.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Features {
    pub normals: Vec<Vector3<f64>>,
    pub sides: Vec<[Side; 3]>,
    pub edges: Vec<MeshEdge>,
    /// The vertices and edges that each triangle owns.
    pub own_vertices: Lists,
    pub own_edges: Lists,
    /// About each vertex, the sum of normals weighted by the angle.
    pub outward: Vec<Vector3<f64>>,
    pub tree: Tree,
}

/// Reasons why a mesh has no inside near an edge.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshDefect {
    /// An edge of more than two triangles.
    #[error("more than two triangles meet in the edge from {start:?} to {end:?} m")]
    Branching {
        /// Start of the edge \[m\].
        start: [f64; 3],
        /// End of the edge \[m\].
        end: [f64; 3],
    },
    /// Two triangles run along an edge in the same direction: one of them is inside out.
    #[error("two triangles at the edge from {start:?} to {end:?} m have their front on different sides")]
    Orientation {
        /// Start of the edge \[m\].
        start: [f64; 3],
        /// End of the edge \[m\].
        end: [f64; 3],
    },
}

/// The triangles along an edge, each with the index of its side and whether it runs from the lower vertex to the upper.
type Along = Vec<(u32, u8, bool)>;

/// Features of a mesh.
///
/// # Errors
/// If the mesh is no manifold: the first defective edge in the order of its vertices.
pub(super) fn features(mesh: &ExactMesh) -> Result<Features, MeshDefect> {
    let (vertices, triangles) = (&mesh.vertices, &mesh.triangles);
    let at = |i: u32| vertices[i as usize];
    let normal = |t: &[u32; 3]| (at(t[1]) - at(t[0])).cross(&(at(t[2]) - at(t[0]))).normalize();
    let normals: Vec<Vector3<f64>> = triangles.iter().map(normal).collect();

    let mut along: HashMap<[u32; 2], Along> = HashMap::new();
    for (t, triangle) in triangles.iter().enumerate() {
        for side in 0..3 {
            let (p, q) = (triangle[side], triangle[(side + 1) % 3]);
            along.entry([p.min(q), p.max(q)]).or_default().push((t as u32, side as u8, p < q));
        }
    }
    let mut all: Vec<([u32; 2], Along)> = along.into_iter().collect();
    all.sort_unstable_by_key(|(ends, _)| *ends);

    let mut sides = vec![[Side::Rim; 3]; triangles.len()];
    let (mut edges, mut own_edges) = (Vec::new(), Vec::new());
    // Normal to an edge, within the triangle.
    let inward = |t: u32, side: u8| {
        let triangle = triangles[t as usize];
        let (p, q) = (triangle[side as usize], triangle[(side as usize + 1) % 3]);
        normals[t as usize].cross(&(at(q) - at(p))).normalize()
    };
    for (ends, along) in &all {
        let place = || ends.map(|i| <[f64; 3]>::from(at(i)));
        let (kind, outward, inwards) = match along[..] {
            [(t, side, _)] => (Side::Rim, normals[t as usize], [inward(t, side); 2]),
            [(t, side, up), (u, other, down)] => {
                if up == down {
                    let [start, end] = place();
                    return Err(MeshDefect::Orientation { start, end });
                }
                let (m, n) = (normals[t as usize], normals[u as usize]);
                let inwards = [inward(t, side), inward(u, other)];
                let rises = m.dot(&inwards[1]);
                let kind = match rises {
                    _ if m.cross(&n).norm() < SHARP && m.dot(&n) > 0.0 => Side::Flat,
                    _ if rises > 0.0 => Side::Concave,
                    _ => Side::Convex,
                };
                (kind, m + n, inwards)
            }
            _ => {
                let [start, end] = place();
                return Err(MeshDefect::Branching { start, end });
            }
        };
        along.iter().for_each(|&(t, side, _)| sides[t as usize][side as usize] = kind);
        if let Side::Convex | Side::Rim = kind {
            own_edges.push((along[0].0, edges.len() as u32));
            edges.push(MeshEdge { ends: *ends, outward, inward: inwards });
        }
    }

    let mut outward = vec![Vector3::zeros(); vertices.len()];
    let mut owner = vec![u32::MAX; vertices.len()];
    for (t, triangle) in triangles.iter().enumerate() {
        for i in 0..3 {
            let [p, q, r] = [i, (i + 1) % 3, (i + 2) % 3].map(|k| at(triangle[k]));
            let vertex = triangle[i] as usize;
            outward[vertex] += normals[t] * (q - p).angle(&(r - p));
            owner[vertex] = owner[vertex].min(t as u32);
        }
    }
    let own = owner.iter().enumerate().filter(|(_, t)| **t != u32::MAX).map(|(v, &t)| (t, v as u32));
    let boxes: Vec<_> = triangles
        .iter()
        .map(|t| {
            let [p, q, r] = t.map(at);
            [p.inf(&q).inf(&r), p.sup(&q).sup(&r)]
        })
        .collect();
    Ok(Features {
        sides,
        edges,
        own_vertices: Lists::new(triangles.len(), own),
        own_edges: Lists::new(triangles.len(), own_edges.iter().copied()),
        outward,
        tree: Tree::new(&boxes),
        normals,
    })
}
