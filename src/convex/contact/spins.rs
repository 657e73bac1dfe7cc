//! Spinning bodies: the gyroscopic torque by the implicit midpoint rule.
//!
//! The bias at the start of a step turns the angular momentum along a tangent, which makes it longer: a body that
//! spins fast gains energy without bound. In the axes of the body, where the inertia I about the centre of mass is
//! constant, the rule
//!
//! ```text
//! I (x - w) + dt m × I m = 0,   m = (w + x)/2
//! ```
//!
//! keeps `w'I w` and `|I w|` whatever the step (multiply by m, and by I m). It predicts the angular velocity x of free
//! motion, and in the place of `-dt w × I w` the step takes the momentum `I (x - w)`. A turn about the axis w leaves w
//! as it is: where nothing else acts the kinetic energy is kept exactly, and a convex solve from the prediction is a
//! projection to lower cost.
//!
//! The trapezoid scheme takes the mean of the biases at both ends of a step, which lets fast spins grow as well. There
//! the world-fixed angular momentum is known: with I0 and I^ in world axes at both ends, I_ and D their mean and their
//! difference,
//!
//! ```text
//! I^ w1 - I0 w0 = I_ (w1 - w0) + D (w0 + w1)/2
//! ```
//!
//! is the angular impulse of all other forces, so that `-D (w0 + w1)/2` stands for the gyroscopic one; with w1 as the
//! angular impulse of the first solve, `I0 (w^ - x)`, makes it at the end. It is of second order, and a body on which
//! nothing else acts keeps its angular momentum whatever the step. Its centre of mass likewise: of the velocity of the
//! origin, `(v1 + w1 × c1) - (v0 + w0 × c0) = (v1 - v0) + (w1 - w0) × c_ + w_ × (c1 - c0)`.
//!
//! The centre of mass, at c from the origin, keeps its velocity: `v + w × c` of the start of the step, before and
//! after. The bias's centrifugal force has no place in that; who advances the state moves the velocity of the origin
//! with c.

use super::problem::Problem;
use nalgebra::{Matrix3, Vector3};

/// The midpoint rule goes in parts of at most so large a turn \[rad\], in which Newton's method ends.
const LARGEST_TURN: f64 = 1.0;
/// Bodies that turn further than this many parts keep their angular velocity in their own axes.
const MAX_PARTS: f64 = 1000.0;
const MAX_ITERATIONS: usize = 30;
/// A body that turns further than this within the step while a constraint holds it is not extrapolated \[rad\]: the
/// force of the constraint, which is of first order, turns with it. The energy that comes of it grows with the fourth
/// power of the turn.
const TURNING: f64 = 0.01;

/// A rigid body moved by six velocities: angular, then that of its origin; in world axes.
#[derive(Clone, Copy, Debug)]
pub struct Spin {
    /// Its first velocity.
    pub velocity: usize,
    /// Rotation: its axes in world.
    pub R_WB: Matrix3<f64>,
    /// Rotational inertia about its centre of mass in its own axes \[kg m²\].
    pub inertia: Matrix3<f64>,
    /// Its mass \[kg\], and from its origin to its centre of mass in world \[m\]; `None` if that is the origin, or if
    /// it carries other bodies (their inertial forces are those of the bias).
    pub arm: Option<(f64, Vector3<f64>)>,
}

impl Problem {
    /// Adds a spinning body, in the order of velocities. None of its velocities may be locked.
    pub fn add_spin(&mut self, spin: Spin) {
        self.spins.push(spin);
    }

    /// Whether a spinning body was added whose first velocity is `velocity`.
    pub fn has_spin(&self, velocity: usize) -> bool {
        self.spins.binary_search_by_key(&velocity, |spin| spin.velocity).is_ok()
    }

    /// Where the centre of mass stands from the origin of the body that the six velocities from `velocity` on move
    /// \[m\]: `None` if it is the origin, or the velocity of the centre of mass is not what is kept.
    #[inline]
    pub fn arm_of(&self, velocity: usize) -> Option<Vector3<f64>> {
        let at = self.spins.binary_search_by_key(&velocity, |spin| spin.velocity).ok()?;
        self.spins[at].arm.map(|(_, arm)| arm)
    }

    /// Marks the cliques of bodies that bilateral constraints hold and that turn fast against a step of length `h`.
    pub(crate) fn mark_turning_in_constraints(&self, h: f64, marked: &mut [bool]) {
        let holding = self.rows.iter().filter(|group| group.friction.is_none() && !group.is_slack());
        for support in holding.flat_map(|group| &self.support[group.support.clone()]) {
            let first = self.cliques[support.clique].velocities.start;
            let Ok(at) = self.spins.binary_search_by_key(&first, |spin| spin.velocity) else { continue };
            let at = self.spins[at].velocity;
            marked[support.clique] |= h * Vector3::from_column_slice(&self.v0[at..at + 3]).norm() > TURNING;
        }
    }

    /// Adds to `kick` what the means of the biases of this problem, at the end of a step of length `dt` \[s\], and of
    /// `start` lack, and forgets the spins.
    pub fn average_spins(&mut self, start: &Problem, dt: f64, kick: &mut [f64]) {
        for spin in &self.spins {
            let at = spin.velocity;
            let Ok(before) = start.spins.binary_search_by_key(&at, |spin| spin.velocity) else { continue };
            let before = &start.spins[before];
            let Some(inverse) = spin.inertia.try_inverse() else { continue };
            let [w0, hat] = [&start.v0, &self.v0].map(|v| Vector3::from_column_slice(&v[at..at + 3]));
            let [i0, i1] = [before, spin].map(|spin| spin.R_WB * spin.inertia * spin.R_WB.transpose());
            let free = before.R_WB * after(&spin.inertia, &before.R_WB.tr_mul(&w0), dt);
            let momentum = i0 * (w0 + hat - free);
            let w1 = spin.R_WB * (inverse * spin.R_WB.tr_mul(&momentum));
            let gyroscopic = (w0.cross(&(i0 * w0)) + hat.cross(&(i1 * hat))) * (0.5 * dt);
            let mean = (w0 + w1) * 0.5;
            let mut lacking = gyroscopic - (i1 - i0) * mean;
            if let (Some((mass, c0)), Some((_, c1))) = (before.arm, spin.arm) {
                let half = |w: &Vector3<f64>, c: &Vector3<f64>| w.cross(&w.cross(c)) * (0.5 * dt * mass);
                let (f0, f1, change) = (half(&w0, &c0), half(&hat, &c1), c1 - c0);
                let force = mean.cross(&change) * mass;
                let turn = w1 - w0;
                let apart = change.cross(&turn).cross(&change) * (0.25 * mass);
                lacking += c0.cross(&f0) + c1.cross(&f1) - (c0 + c1).cross(&force) * 0.5 + apart;
                let lacking = f0 + f1 - force;
                kick[at + 3..at + 6].iter_mut().zip(lacking.iter()).for_each(|(k, l)| *k += l);
            }
            kick[at..at + 3].iter_mut().zip(lacking.iter()).for_each(|(k, l)| *k += l);
        }
        self.spins.clear();
    }

    /// Adds what the bias, times the step, lacks or has too much.
    pub(super) fn add_spins(&self, momentum: &mut [f64]) {
        for spin in &self.spins {
            let at = spin.velocity;
            let w_W = Vector3::from_column_slice(&self.v0[at..at + 3]);
            let w = spin.R_WB.tr_mul(&w_W);
            let turned = spin.inertia * (after(&spin.inertia, &w, self.dt) - w);
            let mut angular = spin.R_WB * (turned + w.cross(&(spin.inertia * w)) * self.dt);
            if let Some((mass, arm)) = spin.arm {
                let force = w_W.cross(&w_W.cross(&arm)) * (mass * self.dt);
                angular += arm.cross(&force);
                momentum[at + 3..at + 6].iter_mut().zip(force.iter()).for_each(|(p, f)| *p += f);
            }
            momentum[at..at + 3].iter_mut().zip(angular.iter()).for_each(|(p, l)| *p += l);
        }
    }
}

/// The angular velocity, in the axes of the body, after free motion over `dt` \[s\].
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

/// One step of the midpoint rule by Newton's method; `None` if that does not end.
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
