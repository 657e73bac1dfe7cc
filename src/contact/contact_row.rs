//! One point where two bodies touch, at the start of a step: the contact model before any solver discretizes it.
//!
//! The normal force is that of Hunt and Crossley, `k depth (1 - d vn)` as far as both factors are positive, friction
//! that of Coulomb \[Castro 2023, sec. IV\] with a coefficient that falls from the static to the dynamic one between
//! four and sixteen regularization velocities. That velocity is the stiction tolerance, or more where light bodies are
//! under heavy load: see [`STOPPING_PART`]. vn is the normal part of the relative velocity (B relative to A, > 0
//! separating).

use super::recoverable_energy::recoverable_energy;
use nalgebra::Vector3;

/// Inverse effective mass of a uniform sphere touched at its surface, RMS over directions, times its mass.
const UNIFORM_SPHERE: f64 = 2.65;

/// Inverse effective mass of a free body touched at its surface: that of a uniform sphere, RMS over directions,
/// sqrt(7)/m.
pub fn free_delassus(mass: f64) -> f64 {
    UNIFORM_SPHERE / mass
}

/// The same for a body whose tangential mobility at the contact point is known: 7/(2m) for that sphere.
pub fn tangential_delassus(mobility: f64) -> f64 {
    UNIFORM_SPHERE / 3.5 * mobility
}

/// Friction is static up to `STATIC` regularization velocities and dynamic from `DYNAMIC` on.
pub const STATIC: f64 = 4.0;
/// See [`STATIC`].
pub const DYNAMIC: f64 = 16.0;

/// The largest step over this is the time whose friction must not stop more than the regularization velocity: what is
/// pressed harder than that slips more than it was asked to, which bounds the conditioning by the step over this time.
/// It must not depend on the step itself, so that full and half steps solve one law, and a creep means the same at
/// every accuracy. The reference implementation has a thousandth of the step.
pub(crate) const STOPPING_PART: f64 = 1e8;

/// The friction coefficient at slip speed `s` (in regularization velocities): exactly `mu_s` up to 4, exactly `mu_d` from 16
/// on, between them a polynomial with two continuous derivatives.
pub fn friction_coefficient(s: f64, mu_s: f64, mu_d: f64) -> f64 {
    let x = ((s - STATIC) / (DYNAMIC - STATIC)).clamp(0.0, 1.0);
    mu_s + (mu_d - mu_s) * (x * x * x * (10.0 - x * (15.0 - 6.0 * x)))
}

/// Up to this `dt² k w` (w the inverse effective mass) a step follows the oscillation of two bodies on each other: ten
/// steps a period.
const RESOLVED: f64 = 1.0;

/// Up to this stiffness against the step an explicit method of fourth order is the more accurate one.
const SOFT: f64 = 0.25;
/// Friction below this part of the normal force is none.
const RUBBING: f64 = 1e-3;

/// Where a contact closes, an explicit method is tried up to this squared angle of its oscillation in a step: what it
/// is off by shortens the step to one that follows the impact. Beyond, it is off by orders of magnitude. Measured: 100
/// and 1000 serve alike, 4 is too little.
const CLOSING: f64 = 100.0;

/// The largest step of a run, where nobody says \[s\].
pub(crate) const MAX_STEP: f64 = 0.1;

/// One contact point of a problem. What stands first is given, what follows is [measured](Self::measure) when the point
/// is added. Vectors in world axes.
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
    /// Velocity of the surface of B against that of A while both rest (belts), part of the relative velocity \[m/s\].
    pub bias_velocity: Vector3<f64>,
    /// Overlap \[m\]; negative for a gap.
    pub depth: f64,
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Hunt-Crossley dissipation \[s/m\].
    pub dissipation: f64,
    /// Static friction coefficient.
    pub static_friction: f64,
    /// Dynamic friction coefficient.
    pub dynamic_friction: f64,
    /// Regularization velocity of friction that is asked for \[m/s\].
    pub stiction_tolerance: f64,
    /// The largest step of the run, its scale of time \[s\]; zero: a tenth of a second.
    pub max_step: f64,
    /// Identifies the point from problem to problem.
    pub key: u64,
    /// Measured: elastic force \[N\]; negative for a gap.
    pub elastic_force: f64,
    /// Measured: friction coefficient at the speed of sliding.
    pub friction: f64,
    /// Measured: normal force \[N\].
    pub normal_force: f64,
    /// Measured: inverse effective mass, for the regularization of friction \[1/kg\].
    pub delassus: f64,
    /// Measured: the same, or that along the normal where it is larger \[1/kg\]: how fast the bodies oscillate on each
    /// other.
    pub mobility: f64,
    /// Measured: speed of separation \[m/s\].
    pub separation0: f64,
    /// Measured: velocity of sliding \[m/s\].
    pub slip0: Vector3<f64>,
    /// Measured: regularization velocity of friction, the stiction tolerance or more \[m/s\].
    pub slip_tolerance: f64,
}

impl ContactRow {
    /// Takes what follows from the relative velocity `vc0` of the bodies at the start of the step and their inverse
    /// effective mass `delassus`.
    pub fn measure(&mut self, vc0: &Vector3<f64>, delassus: f64) {
        let vn0 = self.normal.dot(vc0);
        self.slip0 = vc0 - self.normal * vn0;
        self.separation0 = vn0;
        self.elastic_force = self.stiffness * self.depth;
        self.normal_force = self.elastic_force.max(0.0) * (1.0 - self.dissipation * vn0).max(0.0);
        (self.delassus, self.mobility) = (delassus, delassus);
        if self.max_step <= 0.0 {
            self.max_step = MAX_STEP;
        }
        let stopped = self.static_friction * self.normal_force * delassus * self.max_step / STOPPING_PART;
        self.slip_tolerance = self.stiction_tolerance.max(stopped);
        let slip = self.slip0.norm() / self.slip_tolerance;
        self.friction = friction_coefficient(slip, self.static_friction, self.dynamic_friction);
    }

    /// Whether friction falls when the bodies begin to slide.
    pub fn weakens(&self) -> bool {
        self.static_friction > self.dynamic_friction
    }

    /// The energy of its spring \[J\].
    pub fn stored_energy(&self) -> f64 {
        0.5 * self.elastic_force.max(0.0).powi(2) / self.stiffness
    }

    /// The part of the energy of its spring that the bodies can have back \[J\]: its damping takes the rest.
    pub fn recoverable_energy(&self) -> f64 {
        recoverable_energy(self.stored_energy(), self.dissipation, self.mobility / UNIFORM_SPHERE)
    }

    /// Whether a step of length `dt` is short enough to follow the oscillation of the bodies on each other.
    pub fn is_resolved(&self, dt: f64) -> bool {
        dt * dt * self.stiffness * self.mobility < RESOLVED
    }

    /// Whether a step of length `dt` is short enough to follow the impact of bodies that meet: damping grows with the
    /// speed.
    pub fn follows_impact(&self, dt: f64) -> bool {
        let damping = 1.0 + self.dissipation * self.separation0.abs();
        dt * dt * self.stiffness * self.mobility * damping < RESOLVED
    }

    /// The force on B at the start of a step of length `dt` \[N\], by the law before it is discretized, with friction
    /// as far as an explicit method can follow it.
    pub fn explicit_force(&self, dt: f64) -> Vector3<f64> {
        let slip = (self.slip0.norm_squared() + self.slip_tolerance.powi(2)).sqrt();
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

    /// Whether an explicit method that goes through the closing of the contact within a step of length `dt` shows
    /// anything: neither the oscillation nor the damping that grows with the depth throws it far off.
    pub fn can_close(&self, dt: f64) -> bool {
        let damping = 1.0 + self.dissipation * self.separation0.abs();
        dt * dt * self.stiffness * self.mobility * damping < CLOSING
    }

    /// `dt` times the rate at which friction slows the bodies down.
    fn friction_stiffness_ratio(&self, dt: f64) -> f64 {
        let slip = self.slip0.norm().max(self.slip_tolerance);
        self.delassus * dt * self.friction * self.normal_force / slip
    }
}
