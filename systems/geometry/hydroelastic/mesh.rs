//! Meshes with a pressure field: tetrahedra, in each of which the pressure is linear.

use super::fault::FieldError;
use super::polygon::Plane;
use crate::box_tree::Tree;
use crate::cells::Cells;
use nalgebra::{Isometry3, Vector3};
use std::collections::HashMap;

/// Volume below which tetrahedra are flat, relative to the cube of the size of a mesh.
const FLAT: f64 = 1e-16;

/// No tetrahedron: the outside.
const NONE: u32 = u32::MAX;

/// A linear function of the position, `gradient . x + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Linear {
    pub gradient: Vector3<f64>,
    pub offset: f64,
}

impl Linear {
    pub fn at(&self, x: &Vector3<f64>) -> f64 {
        self.gradient.dot(x) + self.offset
    }

    /// Returns the function in another frame, in which the present frame has the pose `X`.
    pub fn moved(&self, X: &Isometry3<f64>) -> Self {
        let gradient = X.rotation * self.gradient;
        Linear { gradient, offset: self.offset - gradient.dot(&X.translation.vector) }
    }
}

/// A face of a tetrahedron: its plane, and whether the plane faces outward.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Side {
    plane: u32,
    outward: bool,
}

/// A compliant body: tetrahedra with a pressure at each vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct PressureMesh {
    pub(super) vertices: Vec<Vector3<f64>>,
    pub(super) pressures: Vec<f64>,
    pub(super) tets: Vec<[u32; 4]>,
    pub(super) fields: Vec<Linear>,
    /// Planes of the faces; two tetrahedra that share a face share its plane.
    planes: Vec<Plane>,
    /// The tetrahedra on both sides of each plane; the second may be [`NONE`].
    sharing: Vec<[u32; 2]>,
    sides: Vec<[Side; 4]>,
    pub(super) tree: Tree,
    pub(super) size: f64,
    pub(super) has_margin: bool,
}

impl PressureMesh {
    /// The mesh of `cells` with the pressure `modulus` \[Pa\] at their core.
    pub(super) fn new(cells: Cells, modulus: f64) -> Result<Self, FieldError> {
        let Cells { vertices, levels, tets } = &cells;
        if levels.len() != vertices.len() || tets.iter().flatten().any(|&v| v as usize >= vertices.len()) {
            return Err(FieldError::Index);
        }
        let size = vertices.iter().map(|v| v.amax()).fold(0.0, f64::max);
        let mut kept: Vec<[u32; 4]> = Vec::with_capacity(tets.len());
        for tet in tets {
            let volume = cells.volume_of(tet);
            if volume.abs() > FLAT * size.powi(3) {
                let [a, b, c, d] = *tet;
                kept.push(if volume > 0.0 { *tet } else { [a, c, b, d] });
            }
        }
        let pressures: Vec<f64> = levels.iter().map(|level| level * modulus).collect();
        let fields: Vec<Linear> = kept.iter().map(|tet| field(vertices, &pressures, tet)).collect();
        let finite = |f: &Linear| f.offset.is_finite() && f.gradient.iter().all(|x| x.is_finite());
        if fields.is_empty() || !fields.iter().all(finite) {
            return Err(FieldError::Vanishes);
        }
        let (planes, sharing, sides) = faces(vertices, &kept);
        let boxes: Vec<_> = kept.iter().map(|tet| bounds(vertices, tet)).collect();
        let has_margin = levels.iter().any(|&level| level < 0.0);
        let tree = Tree::new(&boxes);
        let (vertices, tets) = (cells.vertices, kept);
        Ok(PressureMesh { vertices, pressures, tets, fields, planes, sharing, sides, tree, size, has_margin })
    }

    /// Number of tetrahedra.
    pub fn num_tetrahedra(&self) -> usize {
        self.tets.len()
    }

    /// Number of vertices.
    pub fn num_vertices(&self) -> usize {
        self.vertices.len()
    }

    /// The volume that it encloses \[m³\].
    pub fn volume(&self) -> f64 {
        self.tets.iter().map(|tet| volume(&self.vertices, tet)).sum()
    }

    /// The four planes around a tetrahedron, facing outward, and the tetrahedra behind them.
    pub(super) fn around(&self, tet: u32) -> [(Plane, Option<u32>); 4] {
        self.sides[tet as usize].map(|side| {
            let (plane, [a, b]) = (self.planes[side.plane as usize], self.sharing[side.plane as usize]);
            let other = if a == tet { b } else { a };
            (if side.outward { plane } else { plane.flipped() }, (other != NONE).then_some(other))
        })
    }

    /// The triangles of its boundary, anticlockwise seen from outside.
    pub(super) fn boundary(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for (tet, sides) in self.tets.iter().zip(&self.sides) {
            for (side, triangle) in sides.iter().zip(OPPOSITE.map(|corners| corners.map(|i| tet[i]))) {
                if self.sharing[side.plane as usize][1] == NONE {
                    triangles.push(triangle);
                }
            }
        }
        triangles
    }
}

/// The corners of the face opposite to each corner of a tetrahedron, anticlockwise seen from outside.
const OPPOSITE: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

fn volume(vertices: &[Vector3<f64>], tet: &[u32; 4]) -> f64 {
    let [a, b, c, d] = tet.map(|v| vertices[v as usize]);
    (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
}

fn bounds<const N: usize>(vertices: &[Vector3<f64>], element: &[u32; N]) -> [Vector3<f64>; 2] {
    let points = element.map(|v| vertices[v as usize]);
    [points.iter().fold(points[0], |low, p| low.inf(p)), points.iter().fold(points[0], |high, p| high.sup(p))]
}

/// The linear function with these values at the vertices of a tetrahedron: `6V grad p = sum (p_i - p_0) (e_j x e_k)`
/// with the edges e from vertex 0.
fn field(vertices: &[Vector3<f64>], pressures: &[f64], tet: &[u32; 4]) -> Linear {
    let [o, a, b, c] = tet.map(|v| vertices[v as usize]);
    let [p, q, r, s] = tet.map(|v| pressures[v as usize]);
    let (u, v, w) = (a - o, b - o, c - o);
    let (vw, wu, uv) = (v.cross(&w), w.cross(&u), u.cross(&v));
    let gradient = (vw * (q - p) + wu * (r - p) + uv * (s - p)) / uv.dot(&w);
    Linear { gradient, offset: p - gradient.dot(&o) }
}

/// The planes of all faces, each once, the tetrahedra on both sides of them, and the sides of each tetrahedron.
fn faces(vertices: &[Vector3<f64>], tets: &[[u32; 4]]) -> (Vec<Plane>, Vec<[u32; 2]>, Vec<[Side; 4]>) {
    let mut known: HashMap<[u32; 3], u32> = HashMap::with_capacity(2 * tets.len());
    let (mut planes, mut sharing) = (Vec::new(), Vec::new());
    let mut sides = Vec::with_capacity(tets.len());
    for (t, tet) in tets.iter().enumerate() {
        sides.push(OPPOSITE.map(|opposite| {
            let corners = opposite.map(|corner| tet[corner]);
            let mut key = corners;
            key.sort_unstable();
            let plane = *known.entry(key).or_insert_with(|| {
                let [a, b, c] = key.map(|v| vertices[v as usize]);
                let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vector3::z);
                planes.push(Plane { normal, offset: normal.dot(&a) });
                sharing.push([t as u32, NONE]);
                planes.len() as u32 - 1
            });
            if sharing[plane as usize][0] != t as u32 {
                sharing[plane as usize][1] = t as u32;
            }
            // Anticlockwise from outside, and sorted: the same orientation if the permutation is even.
            let outward = corners == key || corners == [key[1], key[2], key[0]] || corners == [key[2], key[0], key[1]];
            Side { plane, outward }
        }));
    }
    (planes, sharing, sides)
}

/// A rigid body: the triangles of its surface.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceMesh {
    pub(super) vertices: Vec<Vector3<f64>>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Outward unit normals.
    pub(super) normals: Vec<Vector3<f64>>,
    pub(super) tree: Tree,
    pub(super) size: f64,
}

impl SurfaceMesh {
    /// The corners of each triangle among the vertices, anticlockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Triangles that are anticlockwise seen from outside; those without area are left out.
    ///
    /// # Errors
    /// If an index is out of range, or no triangle has an area.
    pub fn new(vertices: Vec<Vector3<f64>>, triangles: &[[u32; 3]]) -> Result<Self, FieldError> {
        if triangles.iter().flatten().any(|&v| v as usize >= vertices.len()) {
            return Err(FieldError::Index);
        }
        let normal = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|v| vertices[v as usize]);
            (b - a).cross(&(c - a)).try_normalize(f64::MIN_POSITIVE).filter(|n| n.iter().all(|x| x.is_finite()))
        };
        let (triangles, normals): (Vec<_>, Vec<_>) = triangles.iter().filter_map(|t| Some((*t, normal(t)?))).unzip();
        if triangles.is_empty() {
            return Err(FieldError::Vanishes);
        }
        let boxes: Vec<_> = triangles.iter().map(|triangle| bounds(&vertices, triangle)).collect();
        let size = vertices.iter().map(|v| v.amax()).fold(0.0, f64::max);
        Ok(SurfaceMesh { tree: Tree::new(&boxes), vertices, triangles, normals, size })
    }

    /// Number of triangles.
    pub fn num_triangles(&self) -> usize {
        self.triangles.len()
    }

    /// Number of vertices.
    pub fn num_vertices(&self) -> usize {
        self.vertices.len()
    }

    pub(super) fn corners(&self, triangle: usize) -> [Vector3<f64>; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }
}
