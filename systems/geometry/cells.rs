//! A shape cut into tetrahedra, with the pressure at every vertex as a fraction of the modulus.

use nalgebra::Vector3;

/// Discretization of curved shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Volume {
    /// Scaled so that the mesh encloses the volume of the shape. A mesh whose vertices lie on a sphere recedes from it
    /// by up to `edge²/(8 R)` and is far too soft until bodies overlap by many times that; the scaling corrects most of
    /// it.
    #[default]
    Preserved,
    /// With vertices on the surface of the shape, as in other engines.
    Inscribed,
}

/// Resolution of a shape's mesh, and extent of its field outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tessellation {
    /// Edge length on curved surfaces \[m\].
    pub resolution: f64,
    /// Distance that the field reaches beyond the surface, with negative pressures there \[m\].
    pub margin: f64,
    /// Discretization of curved shapes.
    pub volume: Volume,
}

impl Tessellation {
    /// Edges of this length on curved surfaces, without margin.
    pub fn new(resolution: f64) -> Self {
        Tessellation { resolution, margin: 0.0, volume: Volume::Preserved }
    }
}

/// A solid cut into tetrahedra. These may have either orientation and may be flat: the mesh made of them corrects that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// Corners of the tetrahedra \[m\].
    pub vertices: Vec<Vector3<f64>>,
    /// Pressure at each vertex as a fraction of the modulus: 0 on the surface of the shape, 1 at its core, negative
    /// outside.
    pub levels: Vec<f64>,
    /// The four corners of each tetrahedron, by index.
    pub tets: Vec<[u32; 4]>,
}

impl Cells {
    /// Adds a vertex and returns its index.
    pub fn add(&mut self, vertex: Vector3<f64>, level: f64) -> u32 {
        self.vertices.push(vertex);
        self.levels.push(level);
        self.vertices.len() as u32 - 1
    }

    /// Volume of a tetrahedron, positive if it has the right orientation.
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
