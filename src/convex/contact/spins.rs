//! Spinning bodies: the gyroscopic torque by the implicit midpoint rule.
//!
//! The bias force at the start of a step changes the angular momentum along a tangent, and so lengthens it: a body that
//! spins fast gains energy without bound. In the axes of the body, where the inertia I about the centre of mass is
//! constant, the rule
//!
//! ```text
//! I (x - w) + dt m × I m = 0,   m = (w + x)/2
//! ```
//!
//! keeps `w'I w` and `|I w|` whatever the step (multiply by m, and by I m). It predicts the angular velocity x after
//! free motion. The step takes the momentum `I (x - w)` in place of that of the bias, `-dt w × I w`. The rotation of a
//! step is about its angular velocity, and so does not change that: where nothing else acts the kinetic energy is kept
//! exactly, and a convex solve from the prediction is a projection to lower cost.
//!
//! The centre of mass, at c from the origin, keeps its velocity `v + w × c` of the start of the step. So the
//! centrifugal force of the bias is removed; the integrator changes the velocity of the origin as c turns.

use super::problem::Problem;
use crate::choices::spins::{LARGEST_TURN, MAX_ITERATIONS, MAX_PARTS, TURNING};
use nalgebra::{Matrix3, Vector3};

/// A rigid body moved by six velocities: angular, then that of its origin; in world axes.
#[derive(Clone, Copy, Debug)]
pub struct Spin {
    /// First velocity.
    pub velocity: usize,
    /// Rotation: its axes in world.
    pub R_WB: Matrix3<f64>,
    /// Rotational inertia about its centre of mass in its own axes \[kg m²\].
    pub inertia: Matrix3<f64>,
    /// Mass \[kg\], and the position of its centre of mass from its origin in world \[m\]; `None` if they coincide, or
    /// if it carries other bodies (their inertial forces are those of the bias).
    pub arm: Option<(f64, Vector3<f64>)>,
}

impl Problem {
    /// Adds a spinning body, in the order of velocities. None of its velocities may be locked.
    pub fn add_spin(&mut self, spin: Spin) {
        self.spins.push(spin);
    }

    /// True if a spinning body was added whose first velocity is `velocity`.
    pub fn has_spin(&self, velocity: usize) -> bool {
        self.spins.binary_search_by_key(&velocity, |spin| spin.velocity).is_ok()
    }

    /// Position of the centre of mass from the origin \[m\], of the body that is moved by the six velocities from
    /// `velocity` on; `None` if they coincide, or if the velocity of the centre of mass is not kept.
    #[inline]
    pub fn arm_of(&self, velocity: usize) -> Option<Vector3<f64>> {
        let at = self.spins.binary_search_by_key(&velocity, |spin| spin.velocity).ok()?;
        self.spins[at].arm.map(|(_, arm)| arm)
    }

    /// Marks the cliques of bodies that bilateral constraints hold and that turn by more than [`TURNING`] in a step of
    /// length `h`.
    pub(crate) fn mark_turning_in_constraints(&self, h: f64, marked: &mut [bool]) {
        let holding = self.constraints.rows.iter().filter(|group| group.friction.is_none() && !group.is_slack());
        for support in holding.flat_map(|group| &self.constraints.support[group.support.clone()]) {
            let first = self.trees.cliques[support.clique].velocities.start;
            let Ok(at) = self.spins.binary_search_by_key(&first, |spin| spin.velocity) else { continue };
            let at = self.spins[at].velocity;
            marked[support.clique] |= h * Vector3::from_column_slice(&self.trees.v0[at..at + 3]).norm() > TURNING;
        }
    }

    /// Adds to `momentum`, for each spinning body, the change by the midpoint rule less that by the bias force.
    pub(super) fn add_spins(&self, momentum: &mut [f64]) {
        for spin in &self.spins {
            let at = spin.velocity;
            let w_W = Vector3::from_column_slice(&self.trees.v0[at..at + 3]);
            let w = spin.R_WB.tr_mul(&w_W);
            let turned = spin.inertia * (after(&spin.inertia, &w, self.step_terms.dt) - w);
            let mut angular = spin.R_WB * (turned + w.cross(&(spin.inertia * w)) * self.step_terms.dt);
            if let Some((mass, arm)) = spin.arm {
                let force = w_W.cross(&w_W.cross(&arm)) * (mass * self.step_terms.dt);
                angular += arm.cross(&force);
                momentum[at + 3..at + 6].iter_mut().zip(force.iter()).for_each(|(p, f)| *p += f);
            }
            momentum[at..at + 3].iter_mut().zip(angular.iter()).for_each(|(p, l)| *p += l);
        }
    }
}

/// Angular velocity, in the axes of the body, after free motion over `dt` \[s\].
pub fn after(inertia: &Matrix3<f64>, w: &Vector3<f64>, dt: f64) -> Vector3<f64> {
    let parts = (dt * w.abs().sum() / LARGEST_TURN).ceil();
    if parts == 0.0 || parts.is_nan() || parts > MAX_PARTS {
        return *w;
    }
    let h = dt / parts;
    let mut now = *w;
    for _ in 0..parts as usize {
        match midpoint(inertia, &now, h) {
            Some(next) => now = next,
            None => return *w,
        }
    }
    now
}

/// One step of the midpoint rule by Newton's method; `None` if that does not converge.
pub fn midpoint(inertia: &Matrix3<f64>, w: &Vector3<f64>, h: f64) -> Option<Vector3<f64>> {
    let mut x = *w;
    for _ in 0..MAX_ITERATIONS {
        let m = (w + x) * 0.5;
        let momentum = inertia * m;
        let residual = inertia * (x - w) + m.cross(&momentum) * h;
        let slope = inertia + (m.cross_matrix() * inertia - momentum.cross_matrix()) * (0.5 * h);
        let change = slope.try_inverse()? * residual;
        x -= change;
        if change.amax() <= 4.0 * f64::EPSILON * x.amax() {
            return Some(x);
        }
    }
    None
}
