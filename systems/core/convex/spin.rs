//! Rigid bodies that spin freely: what their gyroscopic torque depends on.

use std::ops::Range;

/// The rigid body that a floating base moves directly, with all that is welded to it.
#[derive(Clone, Debug)]
pub struct SpinStructure {
    /// Its six velocities: angular, then that of its origin.
    pub velocities: Range<usize>,
    /// Its first position: a unit quaternion (w, x, y, z).
    pub position: usize,
    /// Rotational inertia about its centre of mass, in its own axes (column major) \[kg m²\].
    pub inertia: [f64; 9],
    /// Its mass \[kg\] and its centre of mass in its own axes \[m\], if it carries no joint.
    pub alone: Option<(f64, [f64; 3])>,
}
