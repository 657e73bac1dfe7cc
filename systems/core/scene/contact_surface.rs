//! Where two bodies press on each other.

use serde::{Deserialize, Serialize};

/// The surface on which the pressures of two bodies balance, at an instant: polygons with the pressure in every corner.
/// Within a polygon it is linear.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactSurface {
    /// The two bodies.
    pub bodies: [usize; 2],
    /// The corners of all polygons in world, polygon by polygon \[m\].
    pub corners: Vec<[f64; 3]>,
    /// The pressure in each corner \[Pa\].
    pub pressures: Vec<f64>,
    /// How many corners each polygon has.
    pub polygons: Vec<usize>,
}
