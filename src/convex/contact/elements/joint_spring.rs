//! Springs of joints: `tau = -k (q - q_rest)` on one degree of freedom.
//!
//! The force at the start of a step is part of the bias of the plant. A step that resolves the oscillation,
//! `dt² k <= M_ii`, takes that force as it is (with the positions advanced by the new velocities this keeps the energy
//! of an oscillator). In longer ones the excess of the stiffness acts at the end of the step, which is stable whatever
//! the step: `A_ii += max(0, dt² k - M_ii)`. The law is linear, so that it is a part of A, which all solvers have, and
//! no potential beside it.

/// A spring on one degree of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSpring {
    /// Velocity that it acts on.
    pub velocity: usize,
    /// Stiffness \[N/m, N m/rad\].
    pub stiffness: f64,
}

impl JointSpring {
    /// Inertia that the whole spring adds in a step of length `dt` \[kg, kg m²\].
    pub fn inertia(&self, dt: f64) -> f64 {
        dt * dt * self.stiffness
    }

    /// Part of such an inertia, summed over the springs of a velocity, that a step does not resolve, where the mass
    /// matrix has `mass`.
    pub fn excess(inertia: f64, mass: f64) -> f64 {
        (inertia - mass).max(0.0)
    }

    /// Gain of the spring on its velocity in a step of length `dt` \[N s/m, N m s/rad\].
    pub fn gain(&self, dt: f64) -> f64 {
        dt * self.stiffness
    }

    /// Change of its force over the time `dt` at the velocity `v` \[N, N m\].
    pub fn change(&self, dt: f64, v: f64) -> f64 {
        -(dt * self.stiffness * v)
    }
}
