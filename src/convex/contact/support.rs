//! What a group of rows measures of one velocity.

use nalgebra::Vector3;

/// One velocity that a group depends on, with its column of J.
#[derive(Clone, Copy, Debug)]
pub struct Support {
    pub velocity: usize,
    pub clique: usize,
    pub column: Vector3<f64>,
    /// What it would be at most if both bodies were free, and moved by this velocity alone.
    pub free: f64,
}
