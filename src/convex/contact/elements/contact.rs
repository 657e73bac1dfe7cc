//! Contact: one point where two bodies touch.
//!
//! **Before any solver discretizes it.** The normal force is that of Hunt and Crossley, `k depth (1 - d vn)` as far as
//! both factors are positive, friction that of Coulomb \[Castro 2023, sec. IV\] with a coefficient that falls from the
//! static to the dynamic one between four and sixteen stiction tolerances. vn is the normal part of the relative
//! velocity (B relative to A, > 0 separating).
//!
//! **In a convex step** the normal force and friction are lagged and regularized \[Castro 2023, sec. IV\].
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

use crate::choices::contact::{CLOSING, DAMPED, DYNAMIC, NEAR_RATIO, RESOLVED, RUBBING, SOFT, STATIC, STOPPING_PART};
use crate::choices::joint_friction::STICTION_PART;
use crate::contact::recoverable_energy::recoverable_energy;
use kinegraph_core::Scalar;
use nalgebra::{Matrix3, Vector3};

/// Inverse effective mass of a uniform sphere touched at its surface, RMS over directions, times its mass.
const UNIFORM_SPHERE: f64 = 2.65; // formula

/// Inverse effective mass of a free body touched at its surface: that of a uniform sphere, RMS over directions,
/// sqrt(7)/m.
pub fn free_delassus(mass: f64) -> f64 {
    UNIFORM_SPHERE / mass
}

/// Inverse effective mass of a body whose tangential mobility at the contact point is known: 7/(2m) for that sphere.
pub fn tangential_delassus(mobility: f64) -> f64 {
    UNIFORM_SPHERE / 3.5 * mobility // formula
}

/// The friction coefficient at slip speed `s` (in regularization velocities): exactly `mu_s` up to 4, exactly `mu_d`
/// from 16 on, between them a polynomial with two continuous derivatives.
pub fn friction_coefficient(s: f64, mu_s: f64, mu_d: f64) -> f64 {
    let x = ((s - STATIC) / (DYNAMIC - STATIC)).clamp(0.0, 1.0);
    mu_s + (mu_d - mu_s) * (x * x * x * (10.0 - x * (15.0 - 6.0 * x))) // formula
}

/// Normal force that would hold a contact point as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Balance {
    /// Normal force \[N\].
    pub force: f64,
    /// Change of the velocity along the normal per impulse there \[1/kg\].
    pub mobility: f64,
}

/// Law of a contact point, as its two surfaces give it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactMaterial {
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Hunt-Crossley dissipation \[s/m\].
    pub dissipation: f64,
    /// Static friction coefficient, in the direction with the most friction.
    pub static_friction: f64,
    /// Dynamic friction coefficient, in that direction.
    pub dynamic_friction: f64,
    /// Requested regularization velocity of friction \[m/s\].
    pub stiction_tolerance: f64,
    /// Resistance to spinning about the normal and to rolling: torque per normal force \[m\].
    pub resistance: [f64; 2],
    /// Part of the distance from the centre of pressure to the point at which its friction acts: see
    /// `contact/friction_arms.rs`.
    pub friction_arm: f64,
}

/// Motion and forces of a contact point at the start of the step.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactStart {
    /// Elastic force \[N\]; negative for a gap.
    pub elastic_force: f64,
    /// Friction coefficient at the speed of sliding.
    pub friction: f64,
    /// Normal force \[N\].
    pub normal_force: f64,
    /// Normal force that friction uses within the step \[N\]: that of the start, or that of a solution.
    pub load: f64,
    /// Inverse effective mass, for the regularization of friction \[1/kg\].
    pub delassus: f64,
    /// Inverse effective mass, or that along the normal where it is larger \[1/kg\]. It gives the frequency of the
    /// bodies on each other.
    pub mobility: f64,
    /// Speed of separation \[m/s\].
    pub separation0: f64,
    /// Velocity of sliding, scaled by the grain \[m/s\].
    pub slip0: Vector3<f64>,
    /// Regularization velocity of friction, the stiction tolerance or more \[m/s\].
    pub slip_tolerance: f64,
}

/// One contact point of a problem. Its [`start`](Self::start) is [measured](Self::measure) when the point is added.
/// Vectors in world axes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactRow {
    /// The body the normal points away from (may be fixed).
    pub body_a: usize,
    /// The body the normal points to (movable).
    pub body_b: usize,
    /// From the origin of A to the contact point \[m\].
    pub p_AC: Vector3<f64>,
    /// From the origin of B to the contact point \[m\].
    pub p_BC: Vector3<f64>,
    /// Unit normal from A into B.
    pub normal: Vector3<f64>,
    /// Velocity of the surface of B against that of A while both rest (belts), part of the relative velocity, scaled
    /// by the grain \[m/s\].
    pub bias_velocity: Vector3<f64>,
    /// Overlap \[m\]; negative for a gap.
    pub depth: f64,
    /// Law of the surfaces.
    pub material: ContactMaterial,
    /// Velocity of sliding per angular velocity of B against A about the normal, beyond that of the point, since
    /// friction acts elsewhere \[m\]; along the surface.
    pub turn: Vector3<f64>,
    /// Direction with the least friction, along the surface, with the length `sqrt(1 - r)`; zero where friction is the
    /// same in all directions. See `contact/grain.rs`.
    pub grain: Vector3<f64>,
    /// The largest step of the run \[s\].
    pub max_step: f64,
    /// Key that identifies the point from problem to problem.
    pub key: u64,
    /// Change of the relative velocity with time by the turning of the geometry \[m/s²\]; zero where that is not
    /// evaluated. See `contact/turning.rs`.
    pub turning: Vector3<f64>,
    /// Balance that would hold the bodies together as they are, where the geometry turns.
    pub balance: Balance,
    /// Motion and forces at the start of the step.
    pub start: ContactStart,
}

impl ContactRow {
    /// Relative velocity of the bodies for the law, without that of moving surfaces: along the normal at the point,
    /// along the surface at the place of its friction, [scaled](Self::scaled) by its grain. `a` and `b` are angular
    /// velocities and velocities of the origins.
    #[inline(always)]
    pub fn velocity_between(&self, a: &(Vector3<f64>, Vector3<f64>), b: &(Vector3<f64>, Vector3<f64>)) -> Vector3<f64> {
        self.scaled(&self.motion_between(a, b))
    }

    /// Relative velocity of the bodies at these places, as they move.
    #[inline(always)]
    pub fn motion_between(&self, a: &(Vector3<f64>, Vector3<f64>), b: &(Vector3<f64>, Vector3<f64>)) -> Vector3<f64> {
        let spin = self.normal.dot(&(b.0 - a.0));
        (b.1 + b.0.cross(&self.p_BC)) - (a.1 + a.0.cross(&self.p_AC)) + self.turn * spin
    }

    /// Torque about the normal by which a `force` on B at the point differs from a force whose part along the surface
    /// acts at the place of friction.
    #[inline(always)]
    pub fn turning_torque(&self, force: &Vector3<f64>) -> Vector3<f64> {
        self.normal * self.turn.dot(force)
    }

    /// Offset from the point to the place of its friction \[m\].
    pub fn friction_offset(&self) -> Vector3<f64> {
        self.turn.cross(&self.normal)
    }

    /// Measures the values that follow from the relative velocity `vc0` of the bodies at the start of the step and
    /// their inverse effective mass `delassus`.
    pub fn measure(&mut self, vc0: &Vector3<f64>, delassus: f64) {
        let vn0 = self.normal.dot(vc0);
        self.start.slip0 = vc0 - self.normal * vn0;
        self.start.separation0 = vn0;
        self.start.elastic_force = self.material.stiffness * self.depth;
        self.start.normal_force = self.start.elastic_force.max(0.0) * (1.0 - self.material.dissipation * vn0).max(0.0);
        self.start.load = self.start.normal_force;
        (self.start.delassus, self.start.mobility) = (delassus, delassus);
        let stopped =
            self.material.static_friction * self.start.normal_force * delassus * self.max_step / STOPPING_PART;
        let scale = if self.has_grain() { self.ratio().max(STICTION_PART) } else { 1.0 };
        self.start.slip_tolerance = (self.material.stiction_tolerance * scale).max(stopped);
        let slip = self.start.slip0.norm() / self.start.slip_tolerance;
        self.start.friction = friction_coefficient(slip, self.material.static_friction, self.material.dynamic_friction);
    }

    /// Sets another depth, and measures again with the relative velocity `vc0`.
    pub(crate) fn carry(&mut self, depth: f64, vc0: &Vector3<f64>) {
        let mobility = self.start.mobility;
        self.depth = depth;
        self.measure(vc0, self.start.delassus);
        self.start.mobility = mobility;
    }

    /// Sets another normal force \[N\] for friction.
    pub(crate) fn take_load(&mut self, force: f64) {
        (self.start.normal_force, self.start.load) = (force, force);
    }

    /// True if friction falls when the bodies begin to slide.
    pub fn weakens(&self) -> bool {
        self.material.static_friction > self.material.dynamic_friction
    }

    /// Energy of its spring \[J\].
    pub fn stored_energy(&self) -> f64 {
        0.5 * self.start.elastic_force.max(0.0).powi(2) / self.material.stiffness
    }

    /// Part of the energy of its spring that the bodies can regain \[J\]: its damping takes the rest.
    pub fn recoverable_energy(&self) -> f64 {
        recoverable_energy(self.stored_energy(), self.material.dissipation, self.start.mobility / UNIFORM_SPHERE)
    }

    /// True if a step of length `dt` is short enough to follow the oscillation of the bodies on each other.
    pub fn is_resolved(&self, dt: f64) -> bool {
        dt * dt * self.material.stiffness * self.start.mobility < RESOLVED
    }

    /// True if a step of length `dt` is short enough to follow the impact of bodies that meet: damping grows with the
    /// speed.
    pub fn follows_impact(&self, dt: f64) -> bool {
        let damping = 1.0 + self.material.dissipation * self.start.separation0.abs();
        dt * dt * self.material.stiffness * self.start.mobility * damping < RESOLVED
    }

    /// The force of the law at the start of a step of length `dt` \[N\], before it is discretized, with friction as far
    /// as an explicit method can follow it; [scaled](Self::scaled), that on B.
    pub fn explicit_force(&self, dt: f64) -> Vector3<f64> {
        let slip = (self.start.slip0.norm_squared() + self.start.slip_tolerance.powi(2)).sqrt();
        let friction = if self.friction_stiffness_ratio(dt) < SOFT {
            self.start.friction * self.start.normal_force / slip
        } else {
            0.0
        };
        self.normal * self.start.normal_force - self.start.slip0 * friction
    }

    /// True if an explicit method of fourth order is more accurate in a step of length `dt`: it follows the compression
    /// and the sliding closely, or hardly any friction acts. `impulse` is that of the law for such a step. For an
    /// impact that is `followed` an explicit method is allowed more: lasting contact is better left to steps that grow.
    pub fn is_soft(&self, dt: f64, impulse: &Vector3<f64>, followed: bool) -> bool {
        let [elastic, damping] =
            [dt * dt * self.material.stiffness, dt * self.material.dissipation * self.start.elastic_force];
        let normal = self.normal.dot(impulse);
        let rubs = (impulse - self.normal * normal).norm() > RUBBING * normal;
        if followed && !rubs {
            self.start.mobility * elastic < RESOLVED && self.start.mobility * damping < DAMPED
        } else {
            self.start.mobility * elastic.max(damping) < SOFT && (!rubs || self.friction_stiffness_ratio(dt) < SOFT)
        }
    }

    /// True if an explicit method gives a useful result where the contact closes within a step of length `dt`: neither
    /// the oscillation nor the damping, which grows with the depth, makes it err by orders of magnitude.
    pub fn can_close(&self, dt: f64) -> bool {
        let damping = 1.0 + self.material.dissipation * self.start.separation0.abs();
        dt * dt * self.material.stiffness * self.start.mobility * damping < CLOSING
    }

    /// True if friction acts on the bodies as they slide at the start of the step.
    pub fn rubs(&self) -> bool {
        let slip = self.start.slip0.norm();
        self.start.friction * slip > RUBBING * slip.hypot(self.start.slip_tolerance)
    }

    /// `dt` times the rate at which friction slows the bodies down.
    fn friction_stiffness_ratio(&self, dt: f64) -> f64 {
        let slip = self.start.slip0.norm().max(self.start.slip_tolerance);
        self.start.delassus * dt * self.start.friction * self.start.normal_force / slip
    }
}

/// A smooth piece of the law. Bit 0: pressed together; 1: under friction; 2: sliding (beyond twice the regularization
/// velocity); 3: with less than the friction of rest; 4: in the opposite sense to that at the start; 5: with the
/// friction of sliding. 0: nothing acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactPiece(pub u8);

impl ContactPiece {
    /// Bit 0: touching; 1: sliding. 0: nothing acts.
    pub fn coarse(self) -> u8 {
        u8::from(self.0 & 3 != 0) | u8::from(self.0 & 4 != 0) << 1
    }
}

/// Bits for the dependence of friction on the speed.
const WEAKENING: u8 = 1 << 3 | 1 << 5;

/// One contact point within one solve.
#[derive(Clone, Copy, Debug)]
pub struct ContactLaw {
    /// Unit normal from A into B.
    pub normal: Vector3<f64>,
    pub elastic_force: f64,
    pub(crate) stiffness: f64,
    pub(crate) dissipation: f64,
    pub(crate) friction: f64,
    pub(crate) normal_force: f64,
    pub(crate) delassus: f64,
    pub(crate) mobility: f64,
    pub(crate) weakens: bool,
    pub(crate) separation0: f64,
    pub(crate) slip0: Vector3<f64>,
    /// Step length \[s\].
    pub dt: f64,
    /// `mu n0` at this step length \[N s\].
    pub friction_impulse: f64,
    /// Regularization velocity of friction \[m/s\].
    pub slip_tolerance: f64,
    /// The normal velocity from which on the normal impulse is zero, at this step length \[m/s\].
    release: f64,
}

impl ContactLaw {
    /// The law of `contact` in a step of length `dt`.
    pub fn new(contact: &ContactRow, dt: f64) -> Self {
        let by_damping =
            if contact.material.dissipation > 0.0 { 1.0 / contact.material.dissipation } else { f64::INFINITY };
        let by_separation = if contact.material.stiffness > 0.0 {
            contact.start.elastic_force / (dt * contact.material.stiffness)
        } else if contact.start.elastic_force > 0.0 {
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        };
        ContactLaw {
            normal: contact.normal,
            elastic_force: contact.start.elastic_force,
            stiffness: contact.material.stiffness,
            dissipation: contact.material.dissipation,
            friction: contact.start.friction,
            normal_force: contact.start.normal_force,
            delassus: contact.start.delassus,
            mobility: contact.start.mobility,
            weakens: contact.weakens(),
            separation0: contact.start.separation0,
            slip0: contact.start.slip0,
            dt,
            friction_impulse: contact.start.friction * dt * contact.start.load,
            slip_tolerance: contact.start.slip_tolerance,
            release: by_damping.min(by_separation),
        }
    }

    /// True if the bodies stick at the start of the step, and friction stops them faster than the step can follow.
    pub fn sticks(&self) -> bool {
        self.slip0.norm() < 2.0 * self.slip_tolerance && self.friction_impulse * self.delassus > self.slip_tolerance
    }

    /// The force on B at the start of the step \[N\], by the law before it is discretized; without friction that
    /// sticks.
    pub fn force_at_start(&self) -> Vector3<f64> {
        let friction =
            if self.sticks() { 0.0 } else { self.friction * self.normal_force / self.soft_norm(&self.slip0) };
        self.normal * self.normal_force - self.slip0 * friction
    }

    /// Normal velocity from which on the normal impulse is zero, at the step length last set.
    #[inline]
    pub(crate) fn release_velocity(&self) -> f64 {
        self.release
    }

    #[inline(always)]
    pub fn soft_norm<S: Scalar>(&self, vt: &Vector3<S>) -> S {
        let eps = S::constant(self.slip_tolerance);
        (vt.dot(vt) + eps * eps).sqrt()
    }

    #[inline(always)]
    pub(crate) fn split<S: Scalar>(&self, vc: &Vector3<S>) -> (S, Vector3<S>) {
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
    #[inline(always)]
    pub fn normal_impulse<S: Scalar>(&self, vn: S) -> (S, S) {
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

    /// Smooth piece of the law that acts at `vc`, the velocity at the end of the step.
    pub fn piece(&self, vc: &Vector3<f64>) -> ContactPiece {
        let (vn, vt) = self.split(vc);
        let pressed = self.elastic_force > self.dt * self.stiffness * vn && self.dissipation * vn < 1.0;
        // Friction is lagged: it acts throughout a step in which the bodies part.
        let rubbing =
            if self.is_pressed_at_start() { self.friction_impulse > 0.0 } else { pressed && self.friction > 0.0 };
        let slip = vt.norm();
        let sliding = rubbing && slip > 2.0 * self.slip_tolerance;
        let reversed = sliding && vt.dot(&self.slip0) < 0.0;
        let bits = [pressed, rubbing, sliding, false, reversed];
        let weakening = if rubbing { self.weakening(slip) } else { 0 };
        ContactPiece(bits.iter().enumerate().fold(weakening, |sum, (k, &bit)| sum | u8::from(bit) << k))
    }

    /// Piece at the start of the step, as far as touching is concerned, where it is `end` at the end.
    pub fn piece_at_start(&self, end: ContactPiece) -> ContactPiece {
        let pressed = self.is_pressed_at_start();
        let rubbing = end.0 & 2 != 0;
        let weakening = if rubbing { self.weakening(self.slip0.norm()) } else { 0 };
        ContactPiece(u8::from(pressed) | weakening | end.0 & !(1 | WEAKENING))
    }

    /// Part of the step in which sliding friction was enough to bring bodies that slide on each other at its start to
    /// rest, or to reverse them, where their velocity is `vc` at its end; 0 if they slide on. Bodies that move as
    /// slowly at the end as friction below its limit allows have come to rest. Where the velocity along the normal
    /// changes as well, the part is multiplied by the share of sliding in the change.
    pub fn slid_for(&self, vc: &Vector3<f64>) -> f64 {
        let (slip, slip0) = (self.split(vc).1, self.slip0.norm());
        if self.friction_impulse <= 0.0 || slip0 <= 2.0 * self.slip_tolerance || !self.is_pressed_at_start() {
            return 0.0;
        }
        let turned = slip.dot(&self.slip0) < 0.0 && slip.norm() > 2.0 * self.slip_tolerance;
        let rests = slip.norm() < (DYNAMIC * self.slip_tolerance).min(0.5 * slip0);
        let of_limit = match (turned, rests) {
            (true, _) => 1.0,
            (_, true) => slip.norm() / self.soft_norm(&slip),
            _ => return 0.0,
        };
        let change = (self.slip0 + self.normal * self.separation0 - vc).norm();
        of_limit * (self.slip0 - slip).norm() / change
    }

    /// True if the bodies are pressed together at the start of the step, or nearly so.
    fn is_pressed_at_start(&self) -> bool {
        self.elastic_force > NEAR_RATIO * self.dt * self.stiffness * self.separation0
            && self.dissipation * self.separation0 < 1.0
    }

    /// Bits for the dependence of friction on the speed of sliding `slip`.
    fn weakening(&self, slip: f64) -> u8 {
        let beyond = |tolerances: f64| u8::from(self.weakens && slip > tolerances * self.slip_tolerance);
        beyond(STATIC) << 3 | beyond(DYNAMIC) << 5
    }
}
