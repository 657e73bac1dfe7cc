//! A shape cut into tetrahedra, with what part of its modulus the pressure has in every vertex.

use nalgebra::Vector3;

/// How curved shapes are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Volume {
    /// Scaled so that the mesh encloses the volume of the shape. A mesh whose vertices lie on a sphere recedes from it
    /// by up to `edge²/(8 R)` and is far too soft until bodies overlap by many times that; this takes out most of it.
    #[default]
    Preserved,
    /// With vertices on the surface of the shape, as other engines have it.
    Inscribed,
}

/// How fine a shape is cut, and how far its field goes on outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tessellation {
    /// Length of the edges of curved surfaces \[m\].
    pub resolution: f64,
    /// How far the field reaches beyond the surface, with negative pressures there \[m\].
    pub margin: f64,
    /// How curved shapes are cut.
    pub volume: Volume,
}

impl Tessellation {
    /// Edges of this length on curved surfaces, no margin.
    pub fn new(resolution: f64) -> Self {
        Tessellation { resolution, margin: 0.0, volume: Volume::Preserved }
    }
}

/// A solid cut into tetrahedra. These may be turned either way and may be flat: the mesh made of them corrects that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// Corners of the tetrahedra \[m\].
    pub vertices: Vec<Vector3<f64>>,
    /// For each vertex the part of the modulus that the pressure has there: 0 on the surface of the shape, 1 in its
    /// core, below 0 outside.
    pub levels: Vec<f64>,
    /// The four corners of each tetrahedron, by index.
    pub tets: Vec<[u32; 4]>,
}

impl Cells {
    /// Adds a vertex and gives its index.
    pub fn add(&mut self, vertex: Vector3<f64>, level: f64) -> u32 {
        self.vertices.push(vertex);
        self.levels.push(level);
        self.vertices.len() as u32 - 1
    }

    /// Volume of a tetrahedron, positive if it is turned as it should be.
    pub(super) fn volume_of(&self, tet: &[u32; 4]) -> f64 {
        let [a, b, c, d] = tet.map(|v| self.vertices[v as usize]);
        (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
    }
}

/// `n` directions around the z axis, the first along x.
pub(super) fn around(n: usize) -> impl Iterator<Item = Vector3<f64>> {
    (0..n).map(move |i| {
        let (sin, cos) = (std::f64::consts::TAU * i as f64 / n as f64).sin_cos();
        Vector3::new(cos, sin, 0.0)
    })
}
