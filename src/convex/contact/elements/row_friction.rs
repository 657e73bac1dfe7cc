//! Dry friction along rows: of tendons, and of contacts that resist spinning and rolling.
//!
//! Along each row the law is that of a joint (`joint_friction.rs`), for the rate of the row's measure. Rows of one
//! group may share a largest force F: the friction of the second and the third is that of their rate as a vector,
//!
//! ```text
//! cost = dt F (|u| - v_s/2) beyond v_s, dt F |u|²/(2 v_s) within,   impulse = -dt F u/max(|u|, v_s)
//! ```
//!
//! which is convex, as a convex function of a norm that grows with it. A contact resists with torques in proportion to
//! the normal force of its points, which is lagged as in sliding, or follows as it does there.

use super::joint_friction::JointFrictionLaw;
use super::velocity_law::VelocityLaw;
use kinegraph_core::Scalar;
use nalgebra::{Matrix3, Vector3};

/// Dry friction along the rows of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowFriction {
    /// Largest force along each row \[N, N m\]; where rows share one, that of the second and of the third.
    pub largest: Vector3<f64>,
    /// True if the second and the third row share a largest force.
    pub shared: bool,
    /// Regularization velocity \[m/s, rad/s\].
    pub creep: f64,
}

impl RowFriction {
    /// Force along the rows at the rates `u`.
    pub fn force(&self, u: &Vector3<f64>) -> Vector3<f64> {
        RowFrictionLaw::new(self, 1.0).impulse(u)
    }
}

/// Bit of a piece: the shared friction acts in the opposite sense to that at the start.
const REVERSED: u8 = 1 << 3;

/// Dry friction along the rows of a group within one solve.
#[derive(Clone, Copy, Debug)]
pub struct RowFrictionLaw {
    along: [JointFrictionLaw; 3],
    shared: bool,
    /// Rate \[m/s, rad/s\] below which the shared part is quadratic.
    creep: f64,
}

impl RowFrictionLaw {
    /// The law of `friction` in a step of length `dt`.
    pub fn new(friction: &RowFriction, dt: f64) -> Self {
        let RowFriction { largest, shared, creep } = *friction;
        let along = [largest.x, largest.y, largest.z].map(|force| JointFrictionLaw::of(dt * force, creep));
        RowFrictionLaw { along, shared, creep }
    }

    /// The potential \[J\].
    pub fn cost<S: Scalar>(&self, u: &Vector3<S>) -> S {
        let [first, second, third] = &self.along;
        if !self.shared {
            return first.cost(u.x) + second.cost(u.y) + third.cost(u.z);
        }
        let square = u.y * u.y + u.z * u.z;
        let of_both = if square.value() > self.creep * self.creep {
            second.cost(square.sqrt())
        } else {
            S::constant(0.5 * second.hessian(0.0)) * square
        };
        first.cost(u.x) + of_both
    }

    /// Impulses along the rows: minus the gradient of the cost.
    #[inline]
    pub fn impulse<S: Scalar>(&self, u: &Vector3<S>) -> Vector3<S> {
        let [first, second, third] = &self.along;
        if !self.shared {
            return Vector3::new(first.impulse(u.x), second.impulse(u.y), third.impulse(u.z));
        }
        let square = u.y * u.y + u.z * u.z;
        let factor = if square.value() > self.creep * self.creep {
            let speed = square.sqrt();
            second.impulse(speed) / speed
        } else {
            S::constant(-second.hessian(0.0))
        };
        Vector3::new(first.impulse(u.x), u.y * factor, u.z * factor)
    }

    /// Second derivative of the cost, positive semidefinite.
    #[inline]
    pub fn hessian(&self, u: &Vector3<f64>) -> Matrix3<f64> {
        let [first, second, third] = &self.along;
        let alone = Vector3::new(first.hessian(u.x), second.hessian(u.y), third.hessian(u.z));
        let speed = u.y.hypot(u.z);
        if !self.shared || speed <= self.creep {
            let inside = Vector3::new(alone.x, second.hessian(0.0), second.hessian(0.0));
            return Matrix3::from_diagonal(if self.shared { &inside } else { &alone });
        }
        // The force turns with the rate, and does not grow with it.
        let (t, g) = (Vector3::new(0.0, u.y / speed, u.z / speed), -second.impulse(speed) / speed);
        Matrix3::from_diagonal(&Vector3::new(alone.x, g, g)) - t * t.transpose() * g
    }

    /// Smooth piece that acts at the rates `u`, where they were `start`: two bits for each row, or for the shared
    /// friction.
    pub fn piece(&self, u: &Vector3<f64>, start: &Vector3<f64>) -> u8 {
        let [first, second, third] = &self.along;
        let rest = if !self.shared {
            second.piece(u.y) | third.piece(u.z) << 2
        } else if u.y.hypot(u.z) <= self.creep {
            0
        } else {
            1 | u8::from(u.y * start.y + u.z * start.z < 0.0) << 1
        };
        first.piece(u.x) | rest << 2
    }

    /// Smooth piece at the start of the step, if some rows come to rest or reverse within it; else that at its end.
    pub fn piece_at_start(&self, u: &Vector3<f64>, start: &Vector3<f64>) -> u8 {
        let (before, end) = (self.piece(start, start), self.piece(u, start));
        let turned = self.shared && end & REVERSED != 0;
        if before & !end == 0 && !turned { end } else { before }
    }
}
