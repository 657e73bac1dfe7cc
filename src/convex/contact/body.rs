//! A body of the problem: how a clique moves it, and how large it is.

use nalgebra::{Matrix3, Vector3};
use std::ops::Range;

/// A rigid body moved by a clique.
#[derive(Clone, Debug)]
pub struct Body {
    /// The clique; `None` for a body fixed to the world.
    pub clique: Option<usize>,
    /// True if the clique is exactly the six velocities of this body.
    pub free: bool,
    /// Mass \[kg\] for the estimate of effective masses.
    pub mass: f64,
    /// How it turns, where that is known ([`Problem::set_inertia`](super::Problem::set_inertia)).
    pub inertia: BodyInertia,
    /// Its size, where that is known ([`Problem::set_extent`](super::Problem::set_extent)).
    pub extent: BodyExtent,
    /// Where its Jacobian begins in [`Problem::jacobians`](super::Problem::jacobians).
    pub jacobian: usize,
    /// Where the velocities that move it stand in [`Problem::moving`](super::Problem::moving).
    pub(crate) moving: Range<usize>,
}

impl Body {
    /// True if it moves with others: by a Jacobian that is not the identity.
    pub(crate) fn hangs(&self) -> bool {
        self.clique.is_some() && !self.free
    }

    /// How fast a velocity may move the point at `arm` from the origin, if its turning with `w` and the velocity of its
    /// origin `v` did not cancel each other; how fast it turns the body, without a point.
    pub(super) fn free_speed(&self, arm: Option<Vector3<f64>>, w: &Vector3<f64>, v: &Vector3<f64>) -> f64 {
        let BodyExtent { center, gyration } = self.extent;
        arm.map_or(w.norm(), |arm| (v + w.cross(&center)).norm() + w.norm() * (arm - center).norm().max(gyration))
    }
}

/// How large a body is, in world axes.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyExtent {
    /// From the origin of the body to its centre of mass \[m\].
    pub center: Vector3<f64>,
    /// Its radius of gyration \[m\].
    pub gyration: f64,
}

/// How a body turns about its centre of mass, in world axes.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyInertia {
    /// From the origin of the body to its centre of mass \[m\].
    pub center: Vector3<f64>,
    /// Inverse of its inertia about that \[1/(kg m²)\]; zero: it does not turn.
    pub inverse: Matrix3<f64>,
}
