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

use kinegraph_systems::Scalar;
use nalgebra::{Matrix3, Vector3};

/// What friction under heavy load may let slip, as a part of the velocity that it could stop within the step: that
/// bounds the conditioning. The reference implementation has 1e-3, which is more than the stiction tolerance of a box
/// of any mass from steps of 30 ms on; it then creeps at the speed that the step says.
const SIGMA: f64 = 1e-4;
/// Static friction turns into dynamic friction around this many stiction tolerances.
const TRANSITION: f64 = 10.0;

/// Inverse effective mass of a free body touched at its surface: that of a uniform sphere, RMS over directions,
/// sqrt(7)/m.
pub fn free_delassus(mass: f64) -> f64 {
    2.65 / mass
}

/// The same for a body whose tangential mobility at the contact point is known: 7/(2m) for that sphere.
pub fn tangential_delassus(mobility: f64) -> f64 {
    2.65 / 3.5 * mobility
}

/// A smooth sign function: x / sqrt(1 + x^2).
fn sigmoid(x: f64) -> f64 {
    x / (1.0 + x * x).sqrt()
}

/// The friction coefficient at slip speed `s` (in stiction tolerances): `mu_s` at rest, `mu_d` at high speed.
///
/// The curve overshoots `mu_d` by 0.25 % of `mu_s - mu_d` at infinite speed, as the reference implementation does.
pub fn friction_coefficient(s: f64, mu_s: f64, mu_d: f64) -> f64 {
    (mu_s - mu_d) * 0.5 * (1.0 - sigmoid(s - TRANSITION) / sigmoid(TRANSITION)) + mu_d
}

/// Up to this `dt² k w` (w the inverse effective mass) a step follows the oscillation of two bodies on each other: ten
/// steps a period.
const RESOLVED: f64 = 1.0;

/// Up to this stiffness against the step an explicit method of fourth order is the more accurate one.
const SOFT: f64 = 0.25;
/// Friction below this part of the normal force is none.
const RUBBING: f64 = 1e-3;

/// Below so many regularization velocities, these decide about the slip.
const CREEP: f64 = 10.0;

/// A smooth piece of the law. Bit 0: pressed together; 1: under friction; 2: sliding (beyond twice the regularization
/// velocity); 3: with the friction of sliding; 4: in the opposite sense to that at the start. 0: nothing acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regime(pub u8);

impl Regime {
    /// Bit 0: touching; 1: sliding. 0: nothing acts.
    pub fn piece(self) -> u8 {
        u8::from(self.0 & 3 != 0) | u8::from(self.0 & 4 != 0) << 1
    }
}

/// One contact point within one solve.
#[derive(Clone, Copy, Debug)]
pub struct ContactLaw {
    /// Unit normal from A into B.
    pub normal: Vector3<f64>,
    /// Elastic force at the start of the step \[N\]; negative for a gap.
    pub elastic_force: f64,
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Dissipation \[s/m\].
    pub dissipation: f64,
    /// Friction coefficient, lagged.
    pub friction: f64,
    /// Normal force at the start of the step \[N\], lagged.
    pub normal_force: f64,
    /// Stiction tolerance of the plant \[m/s\].
    pub stiction_tolerance: f64,
    /// Inverse effective mass, for the regularization of friction \[1/kg\].
    pub delassus: f64,
    /// The same, or that along the normal where it is larger \[1/kg\]: how fast the bodies oscillate on each other.
    pub mobility: f64,
    /// Whether friction falls when the bodies begin to slide.
    pub weakens: bool,
    /// Speed of separation at the start of the step \[m/s\].
    pub separation0: f64,
    /// Velocity of sliding at the start of the step \[m/s\].
    pub slip0: Vector3<f64>,
    /// Step length \[s\].
    pub dt: f64,
    /// `mu n0` at this step length \[N s\].
    pub friction_impulse: f64,
    /// Regularization velocity of friction at this step length \[m/s\].
    pub slip_tolerance: f64,
    /// The normal velocity from which on the normal impulse is zero, at this step length \[m/s\].
    release: f64,
}

/// Where a contact closes, an explicit method is tried up to this squared angle of its oscillation in a step: what it
/// is off by shortens the step to one that follows the blow. Beyond, it is off by orders of magnitude. Measured: 100
/// and 1000 serve alike, 4 is too little.
const CLOSING: f64 = 100.0;

impl ContactLaw {
    /// The law of a pair whose relative velocity at the start of the step is `vc0`; `delassus` is its inverse effective
    /// mass.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        normal: Vector3<f64>,
        vc0: Vector3<f64>,
        depth: f64,
        stiffness: f64,
        dissipation: f64,
        (mu_s, mu_d): (f64, f64),
        stiction_tolerance: f64,
        delassus: f64,
    ) -> Self {
        let vn0 = normal.dot(&vc0);
        let slip0 = vc0 - normal * vn0;
        let slip = slip0.norm() / stiction_tolerance;
        let elastic_force = stiffness * depth;
        ContactLaw {
            normal,
            elastic_force,
            stiffness,
            dissipation,
            // The overshoot must not make it negative: friction would push, and the cost would not be convex.
            friction: friction_coefficient(slip, mu_s, mu_d).max(0.0),
            normal_force: elastic_force.max(0.0) * (1.0 - dissipation * vn0).max(0.0),
            stiction_tolerance,
            delassus,
            mobility: delassus,
            separation0: vn0,
            weakens: mu_s > mu_d,
            slip0,
            dt: 0.0,
            friction_impulse: 0.0,
            slip_tolerance: 0.0,
            release: f64::NEG_INFINITY,
        }
    }

    /// Sets the step length.
    pub fn set_step(&mut self, dt: f64) {
        self.dt = dt;
        self.friction_impulse = self.friction * dt * self.normal_force;
        self.slip_tolerance = self.slip_tolerance_of(dt);
        let by_damping = if self.dissipation > 0.0 { 1.0 / self.dissipation } else { f64::INFINITY };
        let by_separation = if self.stiffness > 0.0 {
            self.elastic_force / (dt * self.stiffness)
        } else if self.elastic_force > 0.0 {
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        };
        self.release = by_damping.min(by_separation);
    }

    /// Whether a step of length `dt` is short enough to follow the oscillation of the bodies on each other.
    pub(in crate::solvers::icf) fn is_resolved(&self, dt: f64) -> bool {
        dt * dt * self.stiffness * self.mobility < RESOLVED
    }

    /// Whether the bodies stick at the velocity the law was set up with, and friction stops them faster than a step of
    /// length `dt` can follow.
    fn sticks(&self, dt: f64) -> bool {
        let impulse = self.friction * dt * self.normal_force;
        let tolerance = self.slip_tolerance_of(dt);
        self.slip0.norm() < 2.0 * tolerance && impulse * self.delassus > tolerance
    }

    /// The regularization velocity in a step of length `dt` \[m/s\].
    fn slip_tolerance_of(&self, dt: f64) -> f64 {
        self.stiction_tolerance.max(self.friction * dt * self.normal_force * SIGMA * self.delassus)
    }

    /// Whether the bodies hardly slip, at a speed that depends on the step `dt` because load makes friction softer than
    /// it was asked to be.
    pub(in crate::solvers::icf) fn creeps_by_step(&self, dt: f64) -> bool {
        let tolerance = self.slip_tolerance_of(dt);
        tolerance > self.stiction_tolerance && self.slip0.norm() < CREEP * tolerance
    }

    /// The force on B at the start of the step last set \[N\], by the law before it is discretized, as far as that step
    /// follows it.
    pub fn force_at_start(&self) -> Vector3<f64> {
        if !self.is_resolved(self.dt) {
            return Vector3::zeros();
        }
        let friction =
            if self.sticks(self.dt) { 0.0 } else { self.friction * self.normal_force / self.soft_norm(&self.slip0) };
        self.normal * self.normal_force - self.slip0 * friction
    }

    /// The force on B at the start of a step of length `dt` \[N\], by the law before it is discretized, with friction
    /// as far as an explicit method can follow it.
    pub fn explicit_force(&self, dt: f64) -> Vector3<f64> {
        let slip = (self.slip0.norm_squared() + self.stiction_tolerance.powi(2)).sqrt();
        let friction =
            if self.friction_stiffness_ratio(dt) < SOFT { self.friction * self.normal_force / slip } else { 0.0 };
        self.normal * self.normal_force - self.slip0 * friction
    }

    /// Whether an explicit method of fourth order and a step of length `dt` is the more accurate one: the step follows
    /// the compression and the sliding closely, or hardly any friction acts. `impulse` is what the law gave for such a
    /// step.
    pub fn is_soft(&self, dt: f64, impulse: &Vector3<f64>) -> bool {
        let damping = self.dissipation * self.elastic_force;
        let compression = self.mobility * (dt * dt * self.stiffness).max(dt * damping);
        let normal = self.normal.dot(impulse);
        let rubs = (impulse - self.normal * normal).norm() > RUBBING * normal;
        compression < SOFT && (!rubs || self.friction_stiffness_ratio(dt) < SOFT)
    }

    /// Whether an explicit method that goes through the closing of the contact within a step of length `dt` tells
    /// anything: neither the oscillation nor the damping that grows with the depth throws it far off.
    pub fn can_close(&self, dt: f64) -> bool {
        let damping = 1.0 + self.dissipation * self.separation0.abs();
        dt * dt * self.stiffness * self.mobility * damping < CLOSING
    }

    /// `dt` times the rate at which friction slows the bodies down.
    fn friction_stiffness_ratio(&self, dt: f64) -> f64 {
        let slip = self.slip0.norm().max(self.stiction_tolerance);
        self.delassus * dt * self.friction * self.normal_force / slip
    }

    /// Makes a law set up at the end of a step of length `dt` that of a mean with the start, to be solved with that
    /// step: the elastic force stepped back by the velocity it was set up with, and half the potential with the same
    /// regularization velocity. What the step does not follow (see [`force_at_start`](Self::force_at_start)) keeps its
    /// whole potential.
    pub fn halve_from_end(&mut self, dt: f64) {
        let (resolved, sticks) = (self.is_resolved(dt), self.sticks(dt));
        self.elastic_force += dt * self.stiffness * self.separation0;
        if resolved {
            self.elastic_force *= 0.5;
            self.stiffness *= 0.5;
            if !sticks {
                self.normal_force *= 0.5;
                self.delassus *= 2.0;
            }
        }
    }

    /// The normal velocity from which on the normal impulse is zero, at the step length last set.
    #[inline]
    pub(in crate::solvers::icf) fn release_velocity(&self) -> f64 {
        self.release
    }

    pub(in crate::solvers::icf) fn soft_norm<S: Scalar>(&self, vt: &Vector3<S>) -> S {
        let eps = S::constant(self.slip_tolerance);
        (vt.dot(vt) + eps * eps).sqrt()
    }

    pub(in crate::solvers::icf) fn split<S: Scalar>(&self, vc: &Vector3<S>) -> (S, Vector3<S>) {
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
    pub(in crate::solvers::icf) fn normal_impulse<S: Scalar>(&self, vn: S) -> (S, S) {
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

    /// Which smooth piece of the law acts at `vc`, the velocity at the end of the step.
    pub fn regime(&self, vc: &Vector3<f64>) -> Regime {
        let (vn, vt) = self.split(vc);
        let pressed = self.elastic_force > self.dt * self.stiffness * vn && self.dissipation * vn < 1.0;
        // Friction is lagged: it acts throughout a step in which the bodies part.
        let rubbing = self.friction_impulse > 0.0;
        let slip = vt.norm();
        let sliding = rubbing && slip > 2.0 * self.slip_tolerance;
        let broken = rubbing && self.weakens && slip > TRANSITION * self.stiction_tolerance;
        let reversed = sliding && vt.dot(&self.slip0) < 0.0;
        let bits = [pressed, rubbing, sliding, broken, reversed];
        Regime(bits.iter().enumerate().fold(0, |sum, (k, &bit)| sum | u8::from(bit) << k))
    }

    /// The same at the start of the step, as far as touching is concerned, where it is `end` at the end.
    pub fn regime_at_start(&self, end: Regime) -> Regime {
        let pressed = self.elastic_force > 0.0 && self.dissipation * self.separation0 < 1.0;
        Regime(u8::from(pressed) | end.0 & !1)
    }
}
