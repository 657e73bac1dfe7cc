//! Rigid bodies that spin freely: data for their gyroscopic torque.

use std::ops::Range;

/// The rigid body that a floating base moves directly, with everything welded to it.
#[derive(Clone, Debug)]
pub struct SpinStructure {
    /// Its six velocities: angular velocity, then velocity of its origin.
    pub velocities: Range<usize>,
    /// Its first position: a unit quaternion (w, x, y, z).
    pub position: usize,
    /// Rotational inertia about its centre of mass, in its own axes (column major) \[kg m²\].
    pub inertia: [f64; 9],
    /// Its mass \[kg\] and its centre of mass in its own axes \[m\], if it carries no joint.
    pub alone: Option<(f64, [f64; 3])>,
}
