//! One contact point of the primal-dual iteration: its impulses as unknowns, and its law linearized around them.

use crate::icf::pools::ContactLaw;
use nalgebra::{Matrix3, Vector3};

/// |t| is kept below 1 by this factor when it is taken from an impulse.
const INSIDE: f64 = 0.999;
/// Part of the way to |t| = 1 that a step of t may take.
const DUAL_STEP: f64 = 0.99;

/// The impulses of a contact point, which the iteration treats as unknowns beside the velocity, and its law at the current velocity.
#[derive(Clone, Debug, Default)]
pub(super) struct Pair {
    /// Impulse on B along the normal, >= 0 \[N s\].
    pub normal: f64,
    /// Direction and degree of friction, in the tangent plane, |t| < 1: the impulse on B is `-mu n0 t`.
    pub friction: Vector3<f64>,
    /// Compliance along the normal and across it \[1/kg\].
    pub compliance: f64,
    pub tangential_compliance: f64,
    /// The law of friction of this iteration.
    friction_expansion: Friction,
    /// Where friction settles under the impulses of the others: velocity of sliding and its regularized norm.
    settled_slip: Vector3<f64>,
    settled_soft: f64,
    /// Normal velocity, and the one at which the contact settles under the impulses of the others.
    velocity: f64,
    settled: f64,
    /// Velocity of sliding and its regularized norm.
    slip: Vector3<f64>,
    soft: f64,
    /// Normal impulses at both velocities, with their slopes (>= 0: minus the derivative).
    impulse: (f64, f64),
    settled_impulse: (f64, f64),
}

/// How friction is linearized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Friction {
    /// With a direction of its own.
    #[default]
    Mixed,
    /// Where the contact settles under its impulse: quick from afar, where a pair of bodies touches in one point.
    Settled,
}

/// Where a normal impulse is linearized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expansion {
    /// Where the contact settles under its impulse.
    Settled,
    /// At the velocity of the iterate: Newton's method.
    Primal,
}

impl Pair {
    /// Takes the impulse on B from elsewhere, as far as the law allows it.
    pub fn start(&mut self, law: &ContactLaw, impulse: &Vector3<f64>) {
        let along = law.normal.dot(impulse);
        self.normal = along.max(0.0);
        self.friction = Vector3::zeros();
        if law.friction_impulse > 0.0 {
            let t = (law.normal * along - impulse) / law.friction_impulse;
            self.friction = t * (INSIDE / t.norm().max(INSIDE));
        }
    }

    /// Evaluates the law at the relative velocity `vc`.
    pub fn evaluate(&mut self, law: &ContactLaw, vc: &Vector3<f64>, friction: Friction) {
        (self.velocity, self.slip) = law.split(vc);
        self.soft = law.soft_norm(&self.slip);
        self.settled = law.settled_normal_velocity(self.velocity - self.compliance * self.normal, self.compliance);
        self.friction_expansion = if law.friction_impulse > 0.0 { friction } else { Friction::Mixed };
        if self.friction_expansion == Friction::Settled {
            let s = self.tangential_compliance;
            let z = self.slip + self.friction * (s * law.friction_impulse);
            (self.settled_slip, self.settled_soft) = law.settled_slip(&z, s);
        } else {
            self.friction *= INSIDE / self.friction.norm().max(INSIDE);
        }
        let slope = |(n, dn): (f64, f64)| (n, -dn);
        self.impulse = slope(law.normal_impulse(self.velocity));
        self.settled_impulse = slope(law.normal_impulse(self.settled));
    }

    /// Direction of the slip, shorter than 1: the gradient of its regularized norm.
    fn direction(&self) -> Vector3<f64> {
        self.slip / self.soft
    }

    /// The impulse on B at the velocity: minus the gradient of the cost.
    pub fn primal_impulse(&self, law: &ContactLaw) -> Vector3<f64> {
        law.normal * self.impulse.0 - self.direction() * law.friction_impulse
    }

    /// The impulse on B with the normal impulse at which the contact settles, and its Fenchel gap.
    pub fn settled_impulse(&self, law: &ContactLaw) -> (Vector3<f64>, f64) {
        let impulse = law.normal * self.settled_impulse.0 - self.direction() * law.friction_impulse;
        (impulse, law.normal_gap(self.velocity, self.settled))
    }

    /// The same with the friction of the iteration.
    pub fn balanced_impulse(&self, law: &ContactLaw) -> (Vector3<f64>, f64) {
        let t = match self.friction_expansion {
            Friction::Mixed => self.friction,
            Friction::Settled => self.settled_slip / self.settled_soft,
        };
        let impulse = law.normal * self.settled_impulse.0 - t * law.friction_impulse;
        let gap = law.normal_gap(self.velocity, self.settled) + law.friction_gap(&self.slip, self.soft, &t);
        (impulse, gap)
    }

    /// The impulse on B of the iteration.
    pub fn last_impulse(&self, law: &ContactLaw) -> Vector3<f64> {
        law.normal * self.normal - self.friction * law.friction_impulse
    }

    /// The impulse on B and the Hessian of the linearized law at the current velocity \[Chan, Golub & Mulet 1999\]:
    /// the gradient of friction is that of the cost, its Hessian `g/s (I - (t th' + th t')/2)` is that of Newton's method once t is th.
    pub fn linearize(&self, law: &ContactLaw, expansion: Expansion) -> (Vector3<f64>, Matrix3<f64>) {
        let (impulse, slope) = self.normal_line(expansion);
        let n = law.normal;
        if self.friction_expansion == Friction::Settled {
            let (g, w, th) = self.settled_friction(law);
            let away = self.slip - w;
            let friction = th * law.friction_impulse + (away - th * th.dot(&away)) * g;
            let hessian = n * n.transpose() * (slope - g) - th * th.transpose() * g;
            return (n * impulse - friction, hessian + Matrix3::from_diagonal_element(g));
        }
        let (g, th) = (law.friction_impulse / self.soft, self.direction());
        let mixed = self.friction * th.transpose();
        let hessian = n * n.transpose() * (slope - g) - (mixed + mixed.transpose()) * (0.5 * g);
        (n * impulse - th * law.friction_impulse, hessian + Matrix3::from_diagonal_element(g))
    }

    /// Curvature of friction across the slip where the contact settles, that slip and its direction.
    fn settled_friction(&self, law: &ContactLaw) -> (f64, Vector3<f64>, Vector3<f64>) {
        (law.friction_impulse / self.settled_soft, self.settled_slip, self.settled_slip / self.settled_soft)
    }

    /// The linearized normal impulse at the current velocity, and its slope.
    fn normal_line(&self, expansion: Expansion) -> (f64, f64) {
        match expansion {
            Expansion::Settled => {
                let (n, slope) = self.settled_impulse;
                (n - slope * (self.velocity - self.settled), slope)
            }
            Expansion::Primal => self.impulse,
        }
    }

    /// Takes the impulses that go with the change `uc` of the velocity in the linearized law.
    pub fn follow(&mut self, law: &ContactLaw, uc: &Vector3<f64>, expansion: Expansion) {
        let (impulse, slope) = self.normal_line(expansion);
        let along = law.normal.dot(uc);
        self.normal = (impulse - slope * along).max(0.0);
        let tangential = uc - law.normal * along;
        if self.friction_expansion == Friction::Settled {
            let (_, w, th) = self.settled_friction(law);
            let away = self.slip + tangential - w;
            self.friction = th + (away - th * th.dot(&away)) / self.settled_soft;
            return;
        }
        // The linearization of t s = slip.
        let t = self.friction;
        let new = (self.slip + tangential - t * self.direction().dot(&tangential)) / self.soft;
        let change = new - t;
        let (a, b, c) = (change.norm_squared(), t.dot(&change), t.norm_squared() - 1.0);
        let longest = if a > 0.0 { ((b * b - a * c).max(0.0).sqrt() - b) / a } else { f64::INFINITY };
        self.friction += change * (DUAL_STEP * longest.max(0.0)).min(1.0);
    }
}
