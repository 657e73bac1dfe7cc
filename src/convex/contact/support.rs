//! The dependence of a group of rows on one velocity.

use nalgebra::Vector3;

/// One velocity that a group depends on, with its column of J.
#[derive(Clone, Copy, Debug)]
pub struct Support {
    pub velocity: usize,
    pub clique: usize,
    pub column: Vector3<f64>,
    /// Largest size of the column if both bodies were free, and moved by this velocity alone.
    pub free: f64,
}
