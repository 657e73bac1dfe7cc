//! One contact point of the primal-dual iteration: its impulses as unknowns, and its law linearized around them.

use crate::solvers::icf::pools::ContactLaw;
use nalgebra::{Matrix3, Vector3};

use crate::choices::pair_iterate::{DUAL_STEP, INSIDE};

/// Impulses of a contact point, which the iteration treats as unknowns beside the velocity, and its law at the current
/// velocity.
#[derive(Clone, Debug, Default)]
pub(in crate::solvers::icf) struct PairIterate {
    /// Impulse on B along the normal, >= 0 \[N s\].
    normal: f64,
    /// Direction and degree of friction t, in the tangent plane, |t| < 1: the impulse on B is `-mu n0 t`.
    friction: Vector3<f64>,
    /// Compliance along the normal \[1/kg\]; zero until the point acts.
    compliance: f64,
    /// Mean compliance across the normal, for friction that is linearized where it settles \[1/kg\].
    tangential_compliance: f64,
    measured: bool,
    at: Point,
}

/// Impulses on B of a law at a velocity.
pub(in crate::solvers::icf) struct Impulses {
    /// Minus the gradient of the cost.
    pub primal: Vector3<f64>,
    /// Impulse of the law where the contact settles.
    pub feasible: Vector3<f64>,
    /// Fenchel gap of that impulse at the velocity \[J\].
    pub gap: f64,
}

/// The law at a velocity.
#[derive(Clone, Debug, Default)]
struct Point {
    /// Normal velocity, impulse and its slope (>= 0: minus the derivative).
    velocity: f64,
    impulse: f64,
    slope: f64,
    /// Normal velocity, impulse and slope where the contact settles under the impulses of the others.
    settled: f64,
    settled_impulse: f64,
    settled_slope: f64,
    /// Velocity of sliding with its regularized norm, and the gradient of that.
    slip: Vector3<f64>,
    soft: f64,
    direction: Vector3<f64>,
    /// Slip where friction settles under the impulses of the others, if it is linearized there.
    settled_slip: Vector3<f64>,
    settled_soft: f64,
    friction: Friction,
}

/// Linearization of friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::solvers::icf) enum Friction {
    /// With a direction of its own.
    #[default]
    Mixed,
    /// Where the contact settles under its impulse.
    Settled,
}

/// Point at which a normal impulse is linearized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solvers::icf) enum Expansion {
    /// Where the contact settles under its impulse.
    Settled,
    /// At the velocity of the iterate: Newton's method.
    Primal,
}

impl PairIterate {
    /// Takes the impulse on B from another source, as far as the law allows it.
    pub fn start(&mut self, law: &ContactLaw, impulse: &Vector3<f64>) {
        let along = law.normal.dot(impulse);
        self.normal = along.max(0.0);
        self.friction = Vector3::zeros();
        (self.compliance, self.tangential_compliance, self.measured) = (0.0, 0.0, false);
        if law.friction_impulse > 0.0 {
            self.friction = inside((law.normal * along - impulse) / law.friction_impulse);
        }
    }

    /// True if nothing acts at the relative velocity `vc`, nor did before: then `vc` becomes the velocity of the law.
    #[inline(always)]
    pub fn is_idle(&mut self, law: &ContactLaw, vc: &Vector3<f64>) -> bool {
        if law.friction_impulse != 0.0 || self.normal != 0.0 {
            return false;
        }
        let velocity = law.normal.dot(vc);
        let is_idle = velocity >= law.release_velocity();
        if is_idle {
            let at = &mut self.at;
            (at.velocity, at.impulse, at.slope) = (velocity, 0.0, 0.0);
            (at.settled, at.settled_impulse, at.settled_slope) = (velocity, 0.0, 0.0);
            at.friction = Friction::Mixed;
        }
        is_idle
    }

    /// True if the point acts at the relative velocity `vc`, or did before, and its compliance is not known yet.
    pub fn acts(&self, law: &ContactLaw, vc: &Vector3<f64>) -> bool {
        let acts = || self.normal > 0.0 || law.friction_impulse > 0.0 || law.normal.dot(vc) < law.release_velocity();
        !self.measured && acts()
    }

    /// Sets the compliances along the normal and across it \[1/kg\].
    pub fn set_compliance(&mut self, along: f64, across: f64) {
        (self.compliance, self.tangential_compliance, self.measured) = (along, across, true);
    }

    /// Makes the linearization of normal impulses nearer to the velocity of the iterate.
    pub fn stiffen(&mut self, factor: f64) {
        self.compliance *= factor;
    }

    /// Impulse on B of the iteration.
    pub fn impulse(&self, law: &ContactLaw) -> Vector3<f64> {
        law.normal * self.normal - inside(self.friction) * law.friction_impulse
    }

    /// Evaluates the law at the relative velocity `vc`.
    #[inline(always)]
    pub fn evaluate(&mut self, law: &ContactLaw, vc: &Vector3<f64>, friction: Friction) -> Impulses {
        let at = &mut self.at;
        (at.velocity, at.slip) = law.split(vc);
        (at.impulse, at.slope) = law.normal_impulse(at.velocity);
        at.slope = -at.slope;
        at.settled = law.settled_normal_velocity(at.velocity - self.compliance * self.normal, self.compliance);
        (at.settled_impulse, at.settled_slope) = law.normal_impulse(at.settled);
        at.settled_slope = -at.settled_slope;
        let mut found = Impulses {
            primal: law.normal * at.impulse,
            feasible: law.normal * at.settled_impulse,
            gap: law.normal_gap(at.velocity, at.settled),
        };
        at.friction = Friction::Mixed;
        if law.friction_impulse == 0.0 {
            return found;
        }
        at.soft = law.soft_norm(&at.slip);
        at.direction = at.slip / at.soft;
        at.friction = friction;
        let t = if friction == Friction::Settled {
            let s = self.tangential_compliance;
            let z = at.slip + self.friction * (s * law.friction_impulse);
            (at.settled_slip, at.settled_soft) = law.settled_slip(&z, s);
            at.settled_slip / at.settled_soft
        } else {
            // The other linearization may have left a t that is too long.
            if self.friction.norm_squared() >= 1.0 {
                self.friction = inside(self.friction);
            }
            self.friction
        };
        found.gap += law.friction_gap(&at.slip, at.soft, &t);
        found.primal -= at.direction * law.friction_impulse;
        found.feasible -= t * law.friction_impulse;
        found
    }

    /// Impulse on B at the velocity last evaluated.
    pub fn primal(&self, law: &ContactLaw) -> Vector3<f64> {
        law.normal * self.at.impulse - self.at.direction * law.friction_impulse
    }

    /// Returns the impulse on B and the Hessian of the linearized law at the velocity last evaluated.
    #[inline(always)]
    pub fn linearize(&self, law: &ContactLaw, expansion: Expansion) -> (Vector3<f64>, Matrix3<f64>) {
        let ((impulse, slope), n, at) = (self.normal_line(expansion), law.normal, &self.at);
        let mut hessian = n * n.transpose() * slope;
        if law.friction_impulse == 0.0 {
            return (n * impulse, hessian);
        }
        let friction = match at.friction {
            Friction::Mixed => {
                let g = law.friction_impulse / at.soft;
                let mixed = self.friction * at.direction.transpose();
                hessian -= (mixed + mixed.transpose()) * (0.5 * g) + n * n.transpose() * g;
                hessian += Matrix3::from_diagonal_element(g);
                at.direction * law.friction_impulse
            }
            Friction::Settled => {
                let g = law.friction_impulse / at.settled_soft;
                let th = at.settled_slip / at.settled_soft;
                let away = at.slip - at.settled_slip;
                hessian -= (th * th.transpose() + n * n.transpose()) * g;
                hessian += Matrix3::from_diagonal_element(g);
                th * law.friction_impulse + (away - th * th.dot(&away)) * g
            }
        };
        (n * impulse - friction, hessian)
    }

    /// Linearized normal impulse at the velocity, and its slope.
    #[inline(always)]
    fn normal_line(&self, expansion: Expansion) -> (f64, f64) {
        let at = &self.at;
        match expansion {
            Expansion::Settled => {
                (at.settled_impulse - at.settled_slope * (at.velocity - at.settled), at.settled_slope)
            }
            Expansion::Primal => (at.impulse, at.slope),
        }
    }

    /// Updates the impulses by the change `uc` of the velocity in the linearized law; `searched`: only a part of it may
    /// be made.
    #[inline(always)]
    pub fn follow(&mut self, law: &ContactLaw, uc: &Vector3<f64>, expansion: Expansion, searched: bool) {
        let (impulse, slope) = self.normal_line(expansion);
        let along = law.normal.dot(uc);
        self.normal = (impulse - slope * along).max(0.0);
        if searched && slope == 0.0 && self.compliance > 0.0 {
            // A full step, of which only a part is taken, would lead into a contact that does not exist: the impulse
            // that the contact alone would answer keeps the next direction out of it. Otherwise the set of contacts can
            // alternate between two for ever.
            let settled = law.settled_normal_velocity(self.at.velocity + along, self.compliance);
            self.normal = law.normal_impulse(settled).0;
        }
        if law.friction_impulse == 0.0 {
            return;
        }
        let (at, tangential) = (&self.at, uc - law.normal * along);
        if at.friction == Friction::Settled {
            let th = at.settled_slip / at.settled_soft;
            let away = at.slip + tangential - at.settled_slip;
            self.friction = th + (away - th * th.dot(&away)) / at.settled_soft;
            return;
        }
        // The linearization of t |vt|_s = vt, as far as |t| stays below 1.
        let t = self.friction;
        let change = (at.slip + tangential - t * at.direction.dot(&tangential)) / at.soft - t;
        let (a, b, c) = (change.norm_squared(), t.dot(&change), t.norm_squared() - 1.0);
        let longest = if a > 0.0 { ((b * b - a * c).max(0.0).sqrt() - b) / a } else { f64::INFINITY };
        self.friction += change * (DUAL_STEP * longest.max(0.0)).min(1.0);
    }
}

/// A direction of friction, shortened if it is too long.
fn inside(t: Vector3<f64>) -> Vector3<f64> {
    t * (INSIDE / t.norm().max(INSIDE))
}
