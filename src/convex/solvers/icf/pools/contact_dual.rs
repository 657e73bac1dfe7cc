//! The dual contact law: the velocity at which a contact settles under a given impulse of all others, and the distance
//! of an impulse from that of a velocity.
//!
//! With a local compliance s (the diagonal of `J A^-1 J'`) and an impulse p, the velocity at which the contact alone is
//! in balance is
//!
//! ```text
//! w = argmin phi(w) + (w - z)²/(2 s),   z = u - s p      (p >= 0: the impulse on B along the normal)
//! ```
//!
//! For the normal law `n(w) = dt (fe0 - dt k w)(1 - d w)` that is the smaller root of a quadratic equation,
//! `w = z + s n(w)`.
//!
//! The Fenchel gap of an impulse p, `phi(u) + phi*(p) - p u >= 0`, is zero if p is the impulse at u. Differences of
//! almost equal numbers are avoided: near the solution gaps are of the order of the square of the error.

use super::ContactLaw;
use nalgebra::Vector3;

use crate::choices::contact_dual::{MAX_SCALAR_ITERATIONS, SCALAR_ACCURACY};

impl ContactLaw {
    /// Normal velocity w that solves `w = z + s n(w)`; at or above `z`.
    #[inline(always)]
    pub fn settled_normal_velocity(&self, z: f64, compliance: f64) -> f64 {
        let release = self.release_velocity();
        if z >= release || compliance == 0.0 {
            return z;
        }
        // a w² - b w + c = 0, the smaller root; b may be negative for a gap that dissipation acts across.
        let (s, dt, k, d) = (compliance, self.dt, self.stiffness, self.dissipation);
        let a = s * dt * dt * k * d;
        let b = 1.0 + s * dt * (dt * k + d * self.elastic_force);
        let c = s * dt * self.elastic_force + z;
        let root = (b * b - 4.0 * a * c).max(0.0).sqrt(); // formula
        let w = if b > 0.0 { 2.0 * c / (b + root) } else { (b - root) / (2.0 * a) };
        w.max(z).min(release)
    }

    /// Normal velocity w with `n(w) = impulse`, the release velocity for none; `None` if no or every velocity has it.
    pub(in crate::solvers) fn velocity_of_normal_impulse(&self, impulse: f64) -> Option<f64> {
        let release = self.release_velocity();
        if impulse <= 0.0 {
            return release.is_finite().then_some(release);
        }
        // a w² - b w + c = 0, the smaller root, as above without the inertia.
        let (dt, k, d) = (self.dt, self.stiffness, self.dissipation);
        let a = dt * k * d;
        let b = dt * k + d * self.elastic_force;
        let c = self.elastic_force - impulse / dt;
        let root = (b * b - 4.0 * a * c).max(0.0).sqrt(); // formula
        let w = if b > 0.0 { 2.0 * c / (b + root) } else { (b - root) / (2.0 * a) };
        w.is_finite().then(|| w.min(release))
    }

    /// Slip velocity w that solves `w + s mu n0 w/(|w|_s + eps) = z`, and its `|w|_s + eps`.
    #[inline(always)]
    pub fn settled_slip(&self, z: &Vector3<f64>, compliance: f64) -> (Vector3<f64>, f64) {
        let (eps, length) = (self.slip_tolerance, z.norm());
        let reach = compliance * self.friction_impulse;
        // Newton's method on a concave, increasing function, from below its root: monotone.
        let mut rho = (length / (1.0 + reach / eps)).max(length - reach);
        for _ in 0..MAX_SCALAR_ITERATIONS {
            let soft = (rho * rho + eps * eps).sqrt();
            let value = rho + reach * rho / soft - length;
            let change = value / (1.0 + reach * eps * eps / (soft * soft * soft));
            rho -= change;
            if change.abs() <= SCALAR_ACCURACY * rho {
                break;
            }
        }
        let w = if length > 0.0 { z * (rho / length) } else { *z };
        (w, self.soft_norm(&w))
    }

    /// The Fenchel gap of the normal impulse `n(w)` at the normal velocity `u` \[J\].
    #[inline(always)]
    pub fn normal_gap(&self, u: f64, w: f64) -> f64 {
        let release = self.release_velocity();
        let curvature = self.dt * self.dt * self.stiffness * self.dissipation;
        if w < release {
            let (impulse, slope) = self.normal_impulse(w);
            let x = u.min(release) - w;
            let beyond = if u > release { impulse * (u - release) } else { 0.0 };
            0.5 * x * x * -slope - curvature * x * x * x / 3.0 + beyond
        } else if u < release {
            // The slope at the release velocity, from below.
            let elastic = self.elastic_force - self.dt * self.stiffness * release;
            let damping = 1.0 - self.dissipation * release;
            let slope = self.dt * (self.stiffness * self.dt * damping + self.dissipation * elastic);
            let y = release - u;
            0.5 * slope * y * y + curvature * y * y * y / 3.0
        } else {
            0.0
        }
    }

    /// The Fenchel gap of the friction impulse `mu n0 t`, |t| < 1, at the slip velocity `vt` with `|vt|_s + eps = soft`
    /// \[J\].
    #[inline(always)]
    pub fn friction_gap(&self, vt: &Vector3<f64>, soft: f64, t: &Vector3<f64>) -> f64 {
        let eps = self.slip_tolerance;
        let slack = (1.0 - t.norm_squared()).max(0.0).sqrt();
        // t is the direction w/|w|_s of the velocity w = eps t/slack.
        // rounding
        let gap = if slack > 1e-6 {
            let w = t * (eps / slack);
            let (sum, delta) = (eps / slack + soft, vt - w);
            let square = delta.norm_squared();
            (square - t.dot(&delta) * (2.0 * w.dot(&delta) + square) / sum) / sum
        } else {
            soft - eps * slack - t.dot(vt)
        };
        self.friction_impulse * gap.max(0.0)
    }
}
