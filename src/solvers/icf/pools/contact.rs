//! Contact: lagged Hunt-Crossley normal force and regularized Coulomb friction \[Castro 2023, sec. IV\].
//!
//! With the relative velocity vc of a pair (B relative to A), its normal component vn = n.vc (> 0 separating) and its
//! tangential part vt, the potential is
//!
//! ```text
//! l_c(vc) = mu n0 |vt|_s - N(vn),      |x|_s = sqrt(x.x + eps^2) - eps
//! N'(vn)  = n(vn) = dt (fe0 - dt k vn)+ (1 - d vn)+
//! ```
//!
//! The friction coefficient mu, the impulse n0 and the elastic force fe0 = k depth are taken at the start of the step
//! ("lagged"), which is what makes friction the gradient of a convex function. n(vn) decreases, so l_c is convex.

use crate::contact::{ContactRow, DYNAMIC, STATIC};
use kinegraph_systems::Scalar;
use nalgebra::{Matrix3, Vector3};

/// A smooth piece of the law. Bit 0: pressed together; 1: under friction; 2: sliding (beyond twice the regularization
/// velocity); 3: with less than the friction of rest; 4: in the opposite sense to that at the start; 5: with the
/// friction of sliding. 0: nothing acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece(pub u8);

impl Piece {
    /// Bit 0: touching; 1: sliding. 0: nothing acts.
    pub fn coarse(self) -> u8 {
        u8::from(self.0 & 3 != 0) | u8::from(self.0 & 4 != 0) << 1
    }
}

/// The bits that say how friction depends on the speed.
const WEAKENING: u8 = 1 << 3 | 1 << 5;

/// One contact point within one solve.
#[derive(Clone, Copy, Debug)]
pub struct ContactLaw {
    /// Unit normal from A into B.
    pub(in crate::solvers) normal: Vector3<f64>,
    pub(in crate::solvers) elastic_force: f64,
    pub(in crate::solvers) stiffness: f64,
    pub(in crate::solvers) dissipation: f64,
    pub(in crate::solvers) friction: f64,
    pub(in crate::solvers) normal_force: f64,
    pub(in crate::solvers) delassus: f64,
    pub(in crate::solvers) mobility: f64,
    pub(in crate::solvers) weakens: bool,
    pub(in crate::solvers) separation0: f64,
    pub(in crate::solvers) slip0: Vector3<f64>,
    /// Step length \[s\].
    pub dt: f64,
    /// `mu n0` at this step length \[N s\].
    pub friction_impulse: f64,
    /// Regularization velocity of friction \[m/s\].
    pub slip_tolerance: f64,
    /// The normal velocity from which on the normal impulse is zero, at this step length \[m/s\].
    release: f64,
}

/// Makes a contact at the end of a step of length `dt` that of a mean with the start, to be solved with that step: the
/// elastic force stepped back by the velocity at the end, and half the potential with the same regularization velocity.
/// What the step has not `followed` keeps its whole potential.
pub(crate) fn halve_from_end(contact: &mut ContactRow, dt: f64, followed: bool) {
    let sticks = ContactLaw::new(contact, dt).sticks();
    contact.elastic_force += dt * contact.stiffness * contact.separation0;
    if followed {
        contact.elastic_force *= 0.5;
        contact.stiffness *= 0.5;
        if !sticks {
            contact.normal_force *= 0.5;
            contact.delassus *= 2.0;
        }
    }
}

impl ContactLaw {
    /// The law of `contact` in a step of length `dt`.
    pub fn new(contact: &ContactRow, dt: f64) -> Self {
        let by_damping = if contact.dissipation > 0.0 { 1.0 / contact.dissipation } else { f64::INFINITY };
        let by_separation = if contact.stiffness > 0.0 {
            contact.elastic_force / (dt * contact.stiffness)
        } else if contact.elastic_force > 0.0 {
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        };
        ContactLaw {
            normal: contact.normal,
            elastic_force: contact.elastic_force,
            stiffness: contact.stiffness,
            dissipation: contact.dissipation,
            friction: contact.friction,
            normal_force: contact.normal_force,
            delassus: contact.delassus,
            mobility: contact.mobility,
            weakens: contact.weakens(),
            separation0: contact.separation0,
            slip0: contact.slip0,
            dt,
            friction_impulse: contact.friction * dt * contact.normal_force,
            slip_tolerance: contact.slip_tolerance,
            release: by_damping.min(by_separation),
        }
    }

    /// Whether the bodies stick at the start of the step, and friction stops them faster than the step can follow.
    fn sticks(&self) -> bool {
        self.slip0.norm() < 2.0 * self.slip_tolerance && self.friction_impulse * self.delassus > self.slip_tolerance
    }

    /// The force on B at the start of the step \[N\], by the law before it is discretized; without friction that
    /// sticks.
    pub fn force_at_start(&self) -> Vector3<f64> {
        let friction =
            if self.sticks() { 0.0 } else { self.friction * self.normal_force / self.soft_norm(&self.slip0) };
        self.normal * self.normal_force - self.slip0 * friction
    }

    /// The normal velocity from which on the normal impulse is zero, at the step length last set.
    #[inline]
    pub(in crate::solvers) fn release_velocity(&self) -> f64 {
        self.release
    }

    pub(in crate::solvers) fn soft_norm<S: Scalar>(&self, vt: &Vector3<S>) -> S {
        let eps = S::constant(self.slip_tolerance);
        (vt.dot(vt) + eps * eps).sqrt()
    }

    pub(in crate::solvers) fn split<S: Scalar>(&self, vc: &Vector3<S>) -> (S, Vector3<S>) {
        let n = self.normal.map(S::constant);
        let vn = n.dot(vc);
        (vn, vc - n * vn)
    }

    /// The potential \[J\].
    pub fn cost<S: Scalar>(&self, vc: &Vector3<S>) -> S {
        let (vn, vt) = self.split(vc);
        let friction = S::constant(self.friction_impulse) * (self.soft_norm(&vt) - S::constant(self.slip_tolerance));
        let release = self.release_velocity();
        if release == f64::NEG_INFINITY {
            return friction;
        }
        let v = if vn.value() < release { vn } else { S::constant(release) };
        let fe0 = S::constant(self.elastic_force);
        let df = -S::constant(self.dt * self.stiffness) * v;
        let normal = S::constant(self.dt)
            * (v * (fe0 + df * S::constant(0.5))
                - S::constant(0.5 * self.dissipation) * v * v * (fe0 + df * S::constant(2.0 / 3.0)));
        friction - normal
    }

    /// The normal impulse n(vn) and its derivative (<= 0).
    #[inline]
    pub(crate) fn normal_impulse<S: Scalar>(&self, vn: S) -> (S, S) {
        let elastic = S::constant(self.elastic_force) - S::constant(self.dt * self.stiffness) * vn;
        let damping = S::constant(1.0) - S::constant(self.dissipation) * vn;
        if elastic.value() <= 0.0 || damping.value() <= 0.0 {
            return (S::constant(0.0), S::constant(0.0));
        }
        let dt = S::constant(self.dt);
        let slope = -dt * (S::constant(self.stiffness * self.dt) * damping + S::constant(self.dissipation) * elastic);
        (dt * elastic * damping, slope)
    }

    /// The impulse on B at the contact point \[N s\]: minus the gradient of the cost.
    #[inline]
    pub fn impulse<S: Scalar>(&self, vc: &Vector3<S>) -> Vector3<S> {
        let (vn, vt) = self.split(vc);
        let (n, _) = self.normal_impulse(vn);
        let friction = S::constant(self.friction_impulse) / self.soft_norm(&vt);
        self.normal.map(S::constant) * n - vt * friction
    }

    /// Impulse on B and Hessian of the cost, positive semidefinite \[N s\], \[kg\].
    #[inline]
    pub fn impulse_and_hessian(&self, vc: &Vector3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
        let (vn, vt) = self.split(vc);
        let (impulse, slope) = self.normal_impulse(vn);
        let soft = self.soft_norm(&vt);
        let (t, g) = (vt / soft, self.friction_impulse / soft);
        let n = self.normal;
        let mut hessian = (t * t.transpose() + n * n.transpose()) * -g - n * n.transpose() * slope;
        for i in 0..3 {
            hessian[(i, i)] += g;
        }
        (n * impulse - t * self.friction_impulse, hessian)
    }

    /// The elastic force at the end of the step, where the points move apart with `vc` \[N\]; negative for a gap.
    pub fn end_force(&self, vc: &Vector3<f64>) -> f64 {
        self.elastic_force - self.dt * self.stiffness * self.split(vc).0
    }

    /// Which smooth piece of the law acts at `vc`, the velocity at the end of the step.
    pub fn piece(&self, vc: &Vector3<f64>) -> Piece {
        let (vn, vt) = self.split(vc);
        let pressed = self.elastic_force > self.dt * self.stiffness * vn && self.dissipation * vn < 1.0;
        // Friction is lagged: it acts throughout a step in which the bodies part.
        let rubbing = self.friction_impulse > 0.0;
        let slip = vt.norm();
        let sliding = rubbing && slip > 2.0 * self.slip_tolerance;
        let reversed = sliding && vt.dot(&self.slip0) < 0.0;
        let bits = [pressed, rubbing, sliding, false, reversed];
        let weakening = if rubbing { self.weakening(slip) } else { 0 };
        Piece(bits.iter().enumerate().fold(weakening, |sum, (k, &bit)| sum | u8::from(bit) << k))
    }

    /// The same at the start of the step, as far as touching is concerned, where it is `end` at the end.
    pub fn piece_at_start(&self, end: Piece) -> Piece {
        let pressed = self.elastic_force > 0.0 && self.dissipation * self.separation0 < 1.0;
        let rubbing = end.0 & 2 != 0;
        let weakening = if rubbing { self.weakening(self.slip0.norm()) } else { 0 };
        Piece(u8::from(pressed) | weakening | end.0 & !(1 | WEAKENING))
    }

    /// How friction depends on the speed of sliding there.
    fn weakening(&self, slip: f64) -> u8 {
        let beyond = |tolerances: f64| u8::from(self.weakens && slip > tolerances * self.slip_tolerance);
        beyond(STATIC) << 3 | beyond(DYNAMIC) << 5
    }
}
