//! Contacts that a step of the trapezoid scheme follows.
//!
//! The mean of forces at both ends says something about a contact if neither its oscillation nor its damping is fast
//! against the step. With the law `k phi (1 - d vn)` and the inverse effective mass w, its rates are
//!
//! ```text
//! d(force)/d(depth) = k (1 - d vn),   d(force)/d(-vn) = d k phi
//! followed <=> h w (h k (1 + d |vn|) + d max(k phi, k (phi - h vn), 0)) < 1
//! ```
//!
//! where the second depth is the one that the bodies come to: damping counts as well as stiffness, as an impact of a
//! well damped contact is over long before its spring has slowed the bodies down.
//!
//! All points of two bodies are followed or none, over the whole step, as both of its ends say: half a force at the
//! start and a whole one at the end would be more than there is.

use kinegraph_convex::contact::{ContactMaterial, ContactRow, ContactStart, Patch, Problem};

/// Pairs of bodies whose contact the step does not follow.
#[derive(Clone, Debug, Default)]
pub struct Unfollowed {
    /// Sorted, without repetition.
    bodies: Vec<(usize, usize)>,
}

impl Unfollowed {
    /// Finds the contacts that a step of length `dt` \[s\] does not follow from `start` to `end`, the problem at its
    /// end.
    pub(super) fn find(&mut self, start: &Problem, end: &Problem, dt: f64) {
        self.bodies.clear();
        for problem in [start, end] {
            let all = |patch: &&Patch| problem.contacts.points[patch.points.clone()].iter().all(|p| follows(p, dt));
            self.bodies
                .extend(problem.contacts.patches.iter().filter(|patch| !all(patch)).map(|p| (p.body_a, p.body_b)));
        }
        self.bodies.sort_unstable();
        self.bodies.dedup();
    }

    /// True if the contact between the bodies of `patch` is not followed.
    pub(super) fn contains(&self, patch: &Patch) -> bool {
        self.bodies.binary_search(&(patch.body_a, patch.body_b)).is_ok()
    }

    /// True if the step follows all contacts.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }
}

/// True if a step of length `dt` follows the contact.
fn follows(contact: &ContactRow, dt: f64) -> bool {
    let ContactMaterial { stiffness, dissipation, .. } = contact.material;
    let ContactStart { elastic_force, separation0: vn, mobility, .. } = contact.start;
    let pressed = elastic_force.max(elastic_force - dt * stiffness * vn).max(0.0);
    dt * mobility * (dt * stiffness * (1.0 + dissipation * vn.abs()) + dissipation * pressed) < 1.0
}
