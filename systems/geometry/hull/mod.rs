//! Convex polyhedra: the hull of a cloud of points, and its methods for collision queries.
//!
//! A hull is stored about its centre (the centroid of its volume). Triangles that lie in one plane are one face, so
//! that a cube is a cube however its sides were triangulated; points inside a face or on an edge are dropped. Both are
//! done within [`FLAT`] of the size, because files hold rounded numbers.

mod build;
pub mod clusters;
mod faces;
pub mod farthest;
mod flat_pyramid;
mod nearest;
mod simplify;

use farthest::FarthestTable;
use nalgebra::Vector3;

/// Distance from the plane of a face, relative to the size of a hull, within which corners belong to it.
pub(super) const FLAT: f64 = 1e-5;

/// Maximum number of corners of a hull: building one of this size takes some seconds.
const MAX_CORNERS: usize = 40_000;

/// Reasons why points have no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HullError {
    /// Fewer than four different points.
    #[error("it has {0} different points; a solid has at least four")]
    TooFewPoints(usize),
    /// All points are (nearly) in one plane.
    #[error("its points lie in one plane")]
    Flat,
    /// A coordinate that is NaN, or beyond 1e6 m.
    #[error("it has a coordinate that is not a number or is beyond 1e6 m")]
    NotFinite,
    /// More corners than queries are made for.
    #[error("its convex hull has {0} corners, of at most {MAX_CORNERS}: take a coarser mesh")]
    TooManyCorners(usize),
    /// The construction fails for these points because of rounding.
    #[error("its convex hull could not be constructed")]
    Unconstructed,
}

/// A convex polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    center: Vector3<f64>,
    /// Radius of the ball around the centre that contains the hull.
    pub(super) radius: f64,
    /// Vertices relative to the centre.
    vertices: Vec<Vector3<f64>>,
    /// The vertices again, coordinate by coordinate in fours, the last group filled up with the first vertex.
    lanes: Vec<[[f64; LANES]; 3]>,
    pub(super) faces: Vec<Face>,
    pub(super) edges: Vec<Edge>,
    /// Faces around each vertex.
    faces_around: Incidence,
    /// Edges from each vertex.
    edges_around: Incidence,
    /// Table of the vertices that can be farthest in a direction.
    table: FarthestTable,
}

/// A list of indices for each vertex: those of vertex i are `list[starts[i]..starts[i + 1]]`.
#[derive(Clone, Debug, PartialEq)]
struct Incidence {
    list: Vec<u32>,
    starts: Vec<u32>,
}

const LANES: usize = 4;

/// A flat side of a hull.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Outward unit normal.
    pub normal: Vector3<f64>,
    /// Support function from the centre along the normal.
    pub offset: f64,
    /// A point of the face, the origin of its outline.
    pub center: Vector3<f64>,
    /// Radius of the disc about the centre that contains the face.
    pub radius: f64,
    /// Unit axes in the face, right-handed with the normal.
    pub axes: [Vector3<f64>; 2],
    /// Indices of its vertices, anticlockwise seen from outside.
    pub corners: Vec<u32>,
    /// The corners in the axes of the face.
    pub outline: Vec<[f64; 2]>,
    /// The inward unit normals of its sides, the first from the first corner to the second.
    pub inward: Vec<[f64; 2]>,
    /// Area \[m²\].
    pub area: f64,
    /// Share of each corner in the stiffness of the face.
    pub shares: Vec<f64>,
}

/// An edge of a hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Indices of its two vertices.
    pub ends: [u32; 2],
    /// Indices of the two faces that meet at it.
    pub faces: [u32; 2],
    /// Unit vector along the edge, such that the normals of `faces` turn about it from the second to the first.
    pub along: Vector3<f64>,
}

impl ConvexHull {
    /// The centroid of its volume, in the frame in which the points were given \[m\].
    pub fn center(&self) -> Vector3<f64> {
        self.center
    }

    /// Its vertices, in the frame in which the points were given \[m\].
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = Vector3<f64>> + '_ {
        self.vertices.iter().map(|v| v + self.center)
    }

    /// Its faces: indices of the corners among [`vertices`](Self::vertices), anticlockwise seen from outside.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = &[u32]> + '_ {
        self.faces.iter().map(|face| &face.corners[..])
    }

    /// Its faces, with their planes and outlines.
    #[doc(hidden)]
    pub fn face_list(&self) -> &[Face] {
        &self.faces
    }

    /// Its edges, with their ends and faces.
    #[doc(hidden)]
    pub fn edge_list(&self) -> &[Edge] {
        &self.edges
    }

    /// The radius of the ball around the centre that contains the hull \[m\].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Its volume \[m³\].
    pub fn volume(&self) -> f64 {
        self.faces.iter().map(|face| face.area * face.offset / 3.0).sum()
    }

    /// Number of faces; triangles in one plane are one face.
    pub fn num_faces(&self) -> usize {
        self.faces.len()
    }

    /// Number of edges.
    pub fn num_edges(&self) -> usize {
        self.edges.len()
    }

    /// Vertices relative to the centre.
    pub fn corners(&self) -> &[Vector3<f64>] {
        &self.vertices
    }

    /// Support function from the centre along `n`, in its own axes.
    pub(super) fn reach(&self, n: &Vector3<f64>) -> f64 {
        match self.listed(n) {
            Some(listed) => self.highest(listed, n),
            None => self.highest_of_all(n),
        }
    }

    /// Range of its coordinates along `n` from the centre: least and greatest.
    pub(super) fn extent(&self, n: &Vector3<f64>) -> [f64; 2] {
        [-self.reach(&-n), self.reach(n)]
    }

    /// A vertex farthest along `n`; if several, the first.
    pub(super) fn farthest(&self, n: &Vector3<f64>) -> Vector3<f64> {
        // The same sum in the same order gives the same bits.
        let is_top = |v: &Vector3<f64>, top: f64| height(v, n) >= top;
        let found = match self.listed(n) {
            Some(listed) => {
                let top = self.highest(listed, n);
                listed.iter().map(|&i| &self.vertices[i as usize]).find(|v| is_top(v, top))
            }
            None => {
                let top = self.highest_of_all(n);
                self.vertices.iter().find(|v| is_top(v, top))
            }
        };
        found.copied().unwrap_or_else(Vector3::zeros)
    }

    /// Listed vertices, which contain all that are farthest along `n`, or nearly; `None`: any may be.
    fn listed(&self, n: &Vector3<f64>) -> Option<&[u32]> {
        self.table.listed(&self.vertices, self.radius, n)
    }

    /// The greatest coordinate of some vertices along `n`.
    fn highest(&self, some: &[u32], n: &Vector3<f64>) -> f64 {
        some.iter().fold(f64::NEG_INFINITY, |top, &i| {
            let height = height(&self.vertices[i as usize], n);
            if height > top { height } else { top }
        })
    }

    /// The greatest coordinate of all vertices along `n`.
    fn highest_of_all(&self, n: &Vector3<f64>) -> f64 {
        let mut top = [f64::NEG_INFINITY; LANES];
        for [x, y, z] in &self.lanes {
            for i in 0..LANES {
                let height = x[i] * n.x + y[i] * n.y + z[i] * n.z;
                top[i] = if height > top[i] { height } else { top[i] };
            }
        }
        top.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Band below the farthest within which vertices count as equally far, relative to the radius.
    pub(super) const BAND: f64 = 1e-7;

    /// Indices of the vertices that reach within `band` of the farthest along `n`.
    pub(super) fn top(&self, n: &Vector3<f64>, band: f64) -> impl Iterator<Item = usize> + '_ {
        let listed = self.listed(n).filter(|_| band <= FarthestTable::BAND * self.radius * n.norm());
        let least = self.reach(n) - band;
        let (n, count) = (*n, listed.map_or(self.vertices.len(), <[u32]>::len));
        let at = move |k: usize| listed.map_or(k, |listed| listed[k] as usize);
        (0..count).map(at).filter(move |&i| self.vertices[i].dot(&n) >= least)
    }

    /// The faces around a vertex.
    pub(super) fn faces_around(&self, vertex: usize) -> &[u32] {
        self.faces_around.of(vertex)
    }

    /// The edges from a vertex.
    pub(super) fn edges_around(&self, vertex: usize) -> &[u32] {
        self.edges_around.of(vertex)
    }
}

/// The coordinate of a vertex along `n`.
fn height(v: &Vector3<f64>, n: &Vector3<f64>) -> f64 {
    v.x * n.x + v.y * n.y + v.z * n.z
}

impl Incidence {
    /// Groups the indices of `parts` by the vertices they name.
    fn new<'p>(num_vertices: usize, parts: impl Iterator<Item = &'p [u32]>) -> Self {
        let mut groups = vec![Vec::new(); num_vertices];
        for (index, vertices) in parts.enumerate() {
            vertices.iter().for_each(|&v| groups[v as usize].push(index as u32));
        }
        let mut starts = vec![0];
        starts.extend(groups.iter().scan(0, |end, group| {
            *end += group.len() as u32;
            Some(*end)
        }));
        Self { list: groups.concat(), starts }
    }

    fn of(&self, vertex: usize) -> &[u32] {
        &self.list[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}
