//! A body of the problem: the clique that moves it, and its size.

use nalgebra::{Matrix3, Vector3};
use std::ops::Range;

/// A rigid body moved by a clique.
#[derive(Clone, Debug)]
pub struct Body {
    /// Clique; `None` for a body fixed to the world.
    pub clique: Option<usize>,
    /// True if the clique is exactly the six velocities of this body.
    pub free: bool,
    /// Mass \[kg\] for the estimate of effective masses.
    pub mass: f64,
    /// Rotational inertia, where it is known ([`Problem::set_inertia`](super::Problem::set_inertia)).
    pub inertia: BodyInertia,
    /// Size, where it is known ([`Problem::set_extent`](super::Problem::set_extent)).
    pub extent: BodyExtent,
    /// Offset of its Jacobian in [`Problem::jacobians`](super::Problem::jacobians).
    pub jacobian: usize,
    /// Range of the velocities that move it in [`Problem::moving`](super::Problem::moving).
    pub(crate) moving: Range<usize>,
}

impl Body {
    /// True if it belongs to a tree of several bodies: its Jacobian is not the identity.
    pub(crate) fn hangs(&self) -> bool {
        self.clique.is_some() && !self.free
    }

    /// Largest speed of the point at `arm` from the origin by a velocity, if its turning with `w` and the velocity `v`
    /// of its origin did not cancel each other; without a point, the speed of turning.
    pub(super) fn free_speed(&self, arm: Option<Vector3<f64>>, w: &Vector3<f64>, v: &Vector3<f64>) -> f64 {
        let BodyExtent { center, gyration } = self.extent;
        arm.map_or(w.norm(), |arm| (v + w.cross(&center)).norm() + w.norm() * (arm - center).norm().max(gyration))
    }
}

/// Size of a body, in world axes.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyExtent {
    /// Position of its centre of mass from its origin \[m\].
    pub center: Vector3<f64>,
    /// Its radius of gyration \[m\].
    pub gyration: f64,
}

/// Rotational inertia of a body about its centre of mass, in world axes.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyInertia {
    /// Position of its centre of mass from its origin \[m\].
    pub center: Vector3<f64>,
    /// Inverse of its inertia about the centre of mass \[1/(kg m²)\]; zero: it does not turn.
    pub inverse: Matrix3<f64>,
}
