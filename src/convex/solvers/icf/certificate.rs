//! Stopping test of Newton's method: a bound of the error after a step, at the price of a pass over the contacts.
//!
//! A short step says little about the error: where the Hessian is far larger than in the region ahead (a sticking
//! contact about to slide), a full step is short and the minimum is not near. The impulses of the linearized laws are
//! reliable. After a full step `d` they balance exactly, `A v + rest = J' p` with `p = p(u) - K J d`, and the remaining
//! error is the distance of p from the law at the new velocity: its Fenchel gap, of fourth order in the step. With
//! feasible impulses p~, as near to p as possible, the gaps gam of p~ and their residual r of the balance bound the
//! error [`primal_dual`](super::primal_dual):
//!
//! ```text
//! |v - v*|_A  <=  |r|/2 + sqrt(|r|²/4 + gam)      (|r| in A^-1)
//! ```
//!
//! This bound holds after any step and for any p~. The gradient alone bounds the error likewise (p~ = p(u), no gap),
//! but is large where contacts are stiff.
//!
//! Errors below the [`rounding`](super::rounding) of the impulses cannot be distinguished from it.

use super::inertia::Inertia;
use super::pools::{ContactLaw, ContactPool};
use super::rounding;
use crate::contact::Island;
use crate::contact::Problem;
use crate::solvers::common::assemble::Workspace;
use crate::solvers::common::pools::subtract_impulses;
use nalgebra::Vector3;

use crate::choices::certificate::INSIDE;

/// Bound of an error, in A.
pub(super) struct Bound {
    /// Upper bound of the error.
    pub error: f64,
    /// Rounding of contact impulses, from which the error cannot be distinguished.
    pub rounding: f64,
}

/// Bounds errors of the iterates on an island; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Certificate {
    inertia: Inertia,
    /// Impulses of the linearized laws after the step.
    linearized: Vec<Vector3<f64>>,
    /// Feasible impulses near them.
    feasible: Vec<Vector3<f64>>,
    residual: Vec<f64>,
}

impl Certificate {
    /// Enters an island. `false` if its inertia is not positive definite.
    pub fn enter(&mut self, problem: &Problem, island: &Island) -> bool {
        self.residual.resize(problem.size(), 0.0);
        self.linearized.resize(problem.contacts.points.len(), Vector3::zeros());
        self.feasible.resize(problem.contacts.points.len(), Vector3::zeros());
        self.inertia.factor(problem, island)
    }

    /// Notes the impulses linearized at the start of a step, from the impulses, Hessians and rates in the pool.
    pub fn note_step(&mut self, problem: &Problem, island: &Island, contact: &ContactPool) {
        ContactPool::for_each(problem, island, |i| {
            self.linearized[i] = contact.values.impulse[i] - contact.values.curvature[i] * contact.values.uc[i];
        });
    }

    /// Bounds `|v - v*|` in A after a step that was noted; `work` has the gradient and laws at its end.
    pub fn bound(&mut self, problem: &Problem, island: &Island, contact: &ContactPool, work: &Workspace) -> Bound {
        let (mut gap, mut impulses) = (0.0, 0.0);
        ContactPool::for_each(problem, island, |i| {
            let law = &contact.laws[i];
            let one = feasible(law, &contact.values.vc[i], &self.linearized[i]);
            (self.feasible[i], gap) = (one.0, gap + one.1);
            impulses += one.0.norm() * law.mobility.sqrt();
        });
        for &c in &island.cliques {
            let range = problem.trees.cliques[c].velocities.clone();
            self.residual[range.clone()].copy_from_slice(&work.gradient[range]);
        }
        let by_gradient = self.inertia.dual_norm_squared(problem, island, &self.residual).sqrt();
        let feasible = &self.feasible;
        subtract_impulses(
            problem,
            island,
            &contact.values.jacobians,
            |i| feasible[i] - contact.values.impulse[i],
            &mut self.residual,
        );
        let error = by_gradient.min(self.inertia.error_bound(problem, island, &self.residual, gap));
        Bound { error, rounding: rounding::of_impulses(impulses) }
    }
}

/// Returns a feasible impulse of the law near `impulse`, and its Fenchel gap at the relative velocity `vc` \[J\].
fn feasible(law: &ContactLaw, vc: &Vector3<f64>, impulse: &Vector3<f64>) -> (Vector3<f64>, f64) {
    let (vn, vt) = law.split(vc);
    let along = law.normal.dot(impulse);
    // The impulse itself, not that at w: stiff laws magnify the rounding of a velocity.
    let (n, w) = match law.velocity_of_normal_impulse(along) {
        Some(w) => (along.max(0.0), w),
        None => (law.normal_impulse(vn).0, vn),
    };
    let (mut sum, mut gap) = (law.normal * n, law.normal_gap(vn, w));
    if law.friction_impulse > 0.0 {
        let soft = law.soft_norm(&vt);
        let mut t = (law.normal * along - impulse) / law.friction_impulse;
        if t.norm_squared() < INSIDE * INSIDE {
            gap += law.friction_gap(&vt, soft, &t);
        } else {
            t = vt / soft;
        }
        sum -= t * law.friction_impulse;
    }
    (sum, gap)
}
