//! A pair of features of two meshes, and the local minimum of the distance between them.
//!
//! Bodies at rest touch at local minima of the distance of their surfaces. For two features that is the case if the
//! direction n between their nearest points lies in the cone of outward normals of both: n in that of A, -n in that of
//! B. The cone of a vertex v consists of the directions n with `n·(u - v) <= 0` for all neighbours u, that of an edge
//! of the directions from which both faces fall away.
//!
//! **Overlaps.** The distance of two features that have passed through each other continues with a negative sign if a
//! direction remains: a vertex and a face have the normal of the face, two edges the normal of both. A vertex and an
//! edge, or two vertices, have none; beyond touching, a face or an edge next to them takes over, starting from zero
//! force.
//!
//! **Fading.** On a flat face the cone of a vertex ends where the face lies flat. So that the force does not jump when
//! the face tilts, features have their full weight up to the slope [`LEVEL`]; from there it falls to zero at [`STEEP`].

use super::super::exact_mesh::{ExactMesh, Features, Side};
use nalgebra::{Isometry3, Vector3};

/// Slope up to which a neighbour may rise and the feature has its full weight \[rad\].
const LEVEL: f64 = 1e-3;

/// Slope at which the weight becomes zero \[rad\].
const STEEP: f64 = 0.03;

/// Sine of the angle between edges below which they are parallel: then other features take their place.
const PARALLEL: f64 = 1e-6;

/// Distance, relative to the size of the pair, below which vertices and edges have no direction.
const COINCIDENT: f64 = 1e-9;

/// Distance beyond a side, relative to its length, up to which a point counts as within the face.
const SEAM: f64 = 1e-9;

/// A mesh at its pose in the frame of the query.
pub(super) struct Placed<'a> {
    pub mesh: &'a ExactMesh,
    pub features: &'a Features,
    pub X: Isometry3<f64>,
}

/// The two features of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pair {
    /// A vertex of A and a triangle of B.
    VertexFace(u32, u32),
    /// A triangle of A and a vertex of B.
    FaceVertex(u32, u32),
    /// Edges of both.
    Edges(u32, u32),
    /// A vertex of A and an edge of B.
    VertexEdge(u32, u32),
    /// An edge of A and a vertex of B.
    EdgeVertex(u32, u32),
    /// Vertices of both.
    Vertices(u32, u32),
}

/// The nearest points of two features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub p_A: Vector3<f64>,
    pub p_B: Vector3<f64>,
    /// Unit normal from A into B.
    pub normal: Vector3<f64>,
    /// Negative of an overlap.
    pub gap: f64,
}

impl Placed<'_> {
    pub fn vertex(&self, i: u32) -> Vector3<f64> {
        self.X.rotation * self.mesh.vertices[i as usize] + self.X.translation.vector
    }

    fn edge(&self, i: u32) -> [Vector3<f64>; 2] {
        self.features.edges[i as usize].ends.map(|end| self.vertex(end))
    }

    fn normal(&self, triangle: u32) -> Vector3<f64> {
        self.X.rotation * self.features.normals[triangle as usize]
    }

    /// Weight of a vertex along a direction.
    pub fn vertex_counts(&self, i: u32, n: &Vector3<f64>) -> f64 {
        let n = self.X.rotation.inverse_transform_vector(n);
        // At hollow vertices the neighbours would satisfy the same condition.
        if self.features.outward[i as usize].dot(&n) <= 0.0 {
            return 0.0;
        }
        let v = self.mesh.vertices[i as usize];
        let slopes = self.mesh.neighbours.of(i).iter().map(|&u| {
            let way = self.mesh.vertices[u as usize] - v;
            n.dot(&way) / way.norm()
        });
        counts(slopes.fold(f64::NEG_INFINITY, f64::max))
    }

    /// Weight of an edge along a direction.
    pub fn edge_counts(&self, i: u32, n: &Vector3<f64>) -> f64 {
        let n = self.X.rotation.inverse_transform_vector(n);
        let edge = &self.features.edges[i as usize];
        if edge.outward.dot(&n) <= 0.0 {
            return 0.0;
        }
        counts(edge.inward.iter().map(|inward| n.dot(inward)).fold(f64::NEG_INFINITY, f64::max))
    }

    /// Foot of a point on a triangle, with its height above it; `None` beyond its sides. Beyond a side where the
    /// surface rises, the face may still hold a point below it.
    fn foot(&self, triangle: u32, p: &Vector3<f64>) -> Option<(Vector3<f64>, f64)> {
        let corners = self.mesh.triangles()[triangle as usize].map(|i| self.vertex(i));
        let n = self.normal(triangle);
        let height = n.dot(&(p - corners[0]));
        for side in 0..3 {
            let (q, r) = (corners[side], corners[(side + 1) % 3]);
            let along = r - q;
            let inside = n.cross(&along).dot(&(p - q)) / along.norm();
            let is_held = || height < 0.0 && self.features.sides[triangle as usize][side] == Side::Concave;
            if inside < -SEAM * along.norm() && !(is_held() && inside > 2.0 * height) {
                return None;
            }
        }
        Some((p - n * height, height))
    }
}

fn counts(slope: f64) -> f64 {
    ((STEEP - slope) / (STEEP - LEVEL)).clamp(0.0, 1.0)
}

/// The points at which the common normal of two lines meets them, if they are within both edges.
fn crossing(a: &[Vector3<f64>; 2], b: &[Vector3<f64>; 2]) -> Option<[Vector3<f64>; 2]> {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
    let square = uu * vv - uv * uv;
    if square <= PARALLEL * PARALLEL * uu * vv {
        return None;
    }
    let (uw, vw) = (u.dot(&w), v.dot(&w));
    let (s, t) = ((uw * vv - vw * uv) / square, (uw * uv - vw * uu) / square);
    let within = |x: f64| (-SEAM..=1.0 + SEAM).contains(&x);
    (within(s) && within(t)).then(|| [a[0] + u * s, b[0] + v * t])
}

/// The point of an edge that is nearest to `p`, if it is between its ends.
fn on_edge(edge: &[Vector3<f64>; 2], p: &Vector3<f64>) -> Option<Vector3<f64>> {
    let way = edge[1] - edge[0];
    let s = way.dot(&(p - edge[0])) / way.norm_squared();
    (s > 0.0 && s < 1.0).then(|| edge[0] + way * s)
}

impl Pair {
    /// The nearest points of the two features, with B moved by `shift`; `None` if they are not within both.
    pub fn nearest(self, a: &Placed<'_>, b: &Placed<'_>, shift: &Vector3<f64>, size: f64) -> Option<Nearest> {
        let apart = |p_A: Vector3<f64>, p_B: Vector3<f64>| {
            let way = p_B - p_A;
            let gap = way.norm();
            (gap > COINCIDENT * size).then(|| Nearest { p_A, p_B, normal: way / gap, gap })
        };
        match self {
            Pair::VertexFace(v, f) => {
                let p_A = a.vertex(v) - shift;
                let (p_B, gap) = b.foot(f, &p_A)?;
                Some(Nearest { p_A: p_A + shift, p_B: p_B + shift, normal: -b.normal(f), gap })
            }
            Pair::FaceVertex(f, v) => {
                let p_B = b.vertex(v) + shift;
                let (p_A, gap) = a.foot(f, &p_B)?;
                Some(Nearest { p_A, p_B, normal: a.normal(f), gap })
            }
            Pair::Edges(e, f) => {
                let (of_a, of_b) = (a.edge(e), b.edge(f).map(|p| p + shift));
                let [p_A, p_B] = crossing(&of_a, &of_b)?;
                let n = (of_a[1] - of_a[0]).cross(&(of_b[1] - of_b[0])).normalize();
                // Out of A, into B.
                let outward = |of: &Placed<'_>, i: u32| of.X.rotation * of.features.edges[i as usize].outward;
                let n = if n.dot(&(outward(a, e) - outward(b, f))) < 0.0 { -n } else { n };
                Some(Nearest { p_A, p_B, normal: n, gap: n.dot(&(p_B - p_A)) })
            }
            Pair::VertexEdge(v, e) => {
                let p_A = a.vertex(v);
                apart(p_A, on_edge(&b.edge(e).map(|p| p + shift), &p_A)?)
            }
            Pair::EdgeVertex(e, v) => {
                let p_B = b.vertex(v) + shift;
                apart(on_edge(&a.edge(e), &p_B)?, p_B)
            }
            Pair::Vertices(v, w) => apart(a.vertex(v), b.vertex(w) + shift),
        }
    }

    /// Weight of the pair: 1 if the direction lies in the cones of both features.
    pub fn counts(self, a: &Placed<'_>, b: &Placed<'_>, n: &Vector3<f64>) -> f64 {
        let m = &-n;
        match self {
            Pair::VertexFace(v, _) => a.vertex_counts(v, n),
            Pair::FaceVertex(_, v) => b.vertex_counts(v, m),
            Pair::Edges(e, f) => a.edge_counts(e, n).min(b.edge_counts(f, m)),
            Pair::VertexEdge(v, e) => a.vertex_counts(v, n).min(b.edge_counts(e, m)),
            Pair::EdgeVertex(e, v) => a.edge_counts(e, n).min(b.vertex_counts(v, m)),
            Pair::Vertices(v, w) => a.vertex_counts(v, n).min(b.vertex_counts(w, m)),
        }
    }

    /// A number that identifies the pair from step to step.
    pub fn number(self) -> u32 {
        let (kind, i, j) = match self {
            Pair::VertexFace(i, j) => (1, i, j),
            Pair::FaceVertex(i, j) => (2, i, j),
            Pair::Edges(i, j) => (3, i, j),
            Pair::VertexEdge(i, j) => (4, i, j),
            Pair::EdgeVertex(i, j) => (5, i, j),
            Pair::Vertices(i, j) => (6, i, j),
        };
        // Spreads similar numbers over all bits [Knuth, vol. 3, sec. 6.4].
        let mixed = (u64::from(i) << 35 ^ u64::from(j) << 3 ^ kind).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) as u32
    }
}
