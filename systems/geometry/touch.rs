//! Results of contact queries.

use nalgebra::Vector3;

/// Contact points to report for a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Points {
    /// One: the deepest. If several tie (a face lying flat), their mean.
    Deepest,
    /// All corners of the touching features: up to 8 for a box on the ground, 4 for a standing cylinder,
    /// 2 for a lying one, 1 for a sphere, all corners of a polyhedron.
    Manifold,
    /// One at each local minimum of the distance, for meshes that are not convex, also with each other. Convex shapes
    /// have their manifold.
    LocalMinima,
}

/// A point where two shapes touch, or nearly touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The point C, in world \[m\]: midway between the two surfaces.
    pub p_WC: Vector3<f64>,
    /// Unit normal in world, from A into B.
    pub normal: Vector3<f64>,
    /// Overlap \[m\]; negative for a gap.
    pub depth: f64,
    /// Its share of the stiffness of the pair. Shares sum to one if the shapes lie flat on each other.
    pub share: f64,
    /// Distinguishes the points of one pair; stays with a corner under small motion.
    pub feature: u32,
}
