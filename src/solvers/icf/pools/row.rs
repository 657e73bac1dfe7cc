//! Bilateral constraints: up to three rows `J v` that are driven to a target velocity by a quadratic potential.
//!
//! ```text
//! cost = 1/2 |v_hat - vc|^2 / R,   gamma = (v_hat - vc)/R,   vc = J v
//! rigid:      R and tau near-rigid (see `near_rigid`),           v_hat = -g0/(dt + tau)
//! compliant:  R = 1/(dt (dt k + c)),                             v_hat = -g0 k/(dt k + c)
//! ```
//!
//! so that a compliant constraint is the implicit spring `gamma = -dt (k (g0 + dt vc) + c vc)`. Of the two the softer
//! one acts. A rigid constraint removes a violation at a bounded speed: an unbounded `v_hat` would throw a mechanism
//! that starts far off its constraints.

use crate::solvers::icf::NearRigid;
use kinegraph_systems::Scalar;
use nalgebra::Vector3;

/// Stiffness \[N/m, N m/rad\] and damping \[N s/m, N m s/rad\] of a constraint that gives way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowCompliance {
    /// Force per violation.
    pub stiffness: f64,
    /// Force per rate of violation.
    pub damping: f64,
}

/// Up to three rows of equal regularization within one solve. Unused rows have no violation and no velocity.
#[derive(Clone, Copy, Debug)]
pub struct RowLaw {
    /// Violation g0 of each row at the start of the step.
    pub violation: Vector3<f64>,
    /// How the constraint gives way; `None`: it is rigid.
    pub compliance: Option<RowCompliance>,
    /// Largest speed at which a rigid constraint removes its violation.
    pub correction_speed: f64,
    /// Effective inverse mass, the mean over the rows; zero if nothing can move.
    pub delassus: f64,
    target: Vector3<f64>,
    inverse_regularization: f64,
    bounded: bool,
}

impl RowLaw {
    /// The law of a violation.
    pub fn new(
        violation: Vector3<f64>,
        compliance: Option<RowCompliance>,
        correction_speed: f64,
        delassus: f64,
    ) -> Self {
        RowLaw {
            violation,
            compliance,
            correction_speed,
            delassus,
            target: Vector3::zeros(),
            inverse_regularization: 0.0,
            bounded: false,
        }
    }

    /// Sets the step length.
    pub fn set_step(&mut self, dt: f64) {
        self.bounded = false;
        if self.delassus <= 0.0 {
            self.inverse_regularization = 0.0;
            return;
        }
        let rigid = NearRigid::new(dt, self.delassus);
        if let Some(RowCompliance { stiffness: k, damping: c }) = self.compliance {
            let softness = dt * (dt * k + c);
            if softness * rigid.regularization <= 1.0 {
                self.inverse_regularization = softness;
                self.target = if softness > 0.0 { self.violation * (-k / (dt * k + c)) } else { Vector3::zeros() };
                return;
            }
        }
        self.inverse_regularization = 1.0 / rigid.regularization;
        self.target = self.violation * (-1.0 / (dt + rigid.dissipation_time));
        let speed = self.target.norm();
        if speed > self.correction_speed {
            self.target *= self.correction_speed / speed;
            self.bounded = true;
        }
    }

    /// The potential of row `row` \[J\].
    pub fn cost<S: Scalar>(&self, row: usize, vc: S) -> S {
        let e = vc - S::constant(self.target[row]);
        S::constant(0.5 * self.inverse_regularization) * e * e
    }

    /// The impulse along row `row`: minus the gradient of the cost.
    #[inline]
    pub fn impulse<S: Scalar>(&self, row: usize, vc: S) -> S {
        S::constant(self.inverse_regularization) * (S::constant(self.target[row]) - vc)
    }

    /// The impulses of all rows.
    #[inline]
    pub fn impulses(&self, vc: &Vector3<f64>) -> Vector3<f64> {
        (self.target - vc) * self.inverse_regularization
    }

    /// Second derivative of the cost, the same for every row.
    #[inline]
    pub fn hessian(&self) -> f64 {
        self.inverse_regularization
    }

    /// Which smooth piece of the law acts: 1 while the violation is removed at the bounded speed.
    pub fn regime(&self) -> u8 {
        u8::from(self.bounded)
    }
}
