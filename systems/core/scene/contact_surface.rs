//! Contact surfaces, to draw.

use serde::{Deserialize, Serialize};

/// The surface on which the pressures of two bodies balance, at an instant: polygons with the pressure at every corner.
/// Pressure is linear within a polygon.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactSurface {
    /// The two bodies.
    pub bodies: [usize; 2],
    /// The corners of all polygons in world, polygon by polygon \[m\].
    pub corners: Vec<[f64; 3]>,
    /// Pressure at each corner \[Pa\].
    pub pressures: Vec<f64>,
    /// Number of corners of each polygon.
    pub polygons: Vec<usize>,
}
