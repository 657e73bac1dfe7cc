//! Contact geometry that turns within a step, and depths that go with it.
//!
//! The convex step freezes the place and the normal n of a contact point. Where the point runs around a body (a coin
//! on its rim) or over a curved one, the relative velocity J v of the bodies there changes within a step of length h,
//! while their velocities v do not:
//!
//! ```text
//! g = d/ds [J(q0 + s v0)] v0 + n (dn/ds · J v0)
//! ```
//!
//! With `h g` beside J v the law sees the velocity that the bodies have at the end of the step. An impulse still acts
//! along the geometry of the start, the same on both bodies. g is the same for all steps from a state.
//!
//! The law holds a contact at the depth that it foresees,
//!
//! ```text
//! d1 = d0 - h n · (J v1 + h g)
//! ```
//!
//! from which the true depth at q1 differs in the second order, times a stiffness of any size. So parts of one attempt
//! carry it on, from each to the next. At the end of the step the body is moved along the normal until its depth is
//! that of the law: a displacement within the error of the step, which leaves no velocity. Without it a light contact
//! begins its next step many times as deep as its load presses it, and throws the body off.

use super::elements::ContactRow;
use super::problem::Problem;
use super::solution::Solution;
use nalgebra::Vector3;

/// The place among `pairs` of the point that another problem has as `other`; `guess` is looked at first.
pub(super) fn find_same(pairs: &[ContactRow], other: &ContactRow, guess: usize) -> Option<usize> {
    let of = |pair: &ContactRow| (pair.key, pair.body_a, pair.body_b);
    let is_same = |pair: &ContactRow| of(pair) == of(other);
    if pairs.get(guess).is_some_and(is_same) { Some(guess) } else { pairs.iter().position(is_same) }
}

impl Problem {
    /// The point that another problem has as `other`; `guess` is looked at first.
    pub(crate) fn same_point(&self, other: &ContactRow, guess: usize) -> Option<&ContactRow> {
        find_same(&self.pairs, other, guess).map(|at| &self.pairs[at])
    }

    /// The depth \[m\] to which a step of length `h` with the velocities `v` at its end leads by the law, of the point
    /// that another problem has as `other`.
    pub(crate) fn depth_after(&self, other: &ContactRow, guess: usize, h: f64, v: &[f64]) -> Option<f64> {
        let pair = self.same_point(other, guess)?;
        // The problem may have been solved for another length last.
        let vc = self.relative_velocity(pair, v) + pair.turning * (h - self.dt);
        Some(pair.depth - h * pair.normal.dot(&vc))
    }

    /// Whether geometry may turn at a point where bodies turn or slide: it alone carries a body that hangs on nothing
    /// else. What links lead turns by their mass matrix as well, and what stands on several points rests or rocks.
    fn carries_alone(&self, pair: &ContactRow) -> bool {
        let bodies = [pair.body_a, pair.body_b];
        let turns = bodies.iter().any(|&body| self.velocity_of(body).0 != Vector3::zeros());
        pair.elastic_force > 0.0
            && (turns || pair.slip0 != Vector3::zeros())
            && !bodies.into_iter().any(|body| self.bodies[body].hangs())
            && bodies.iter().find_map(|&body| self.bodies[body].clique).is_some_and(|clique| {
                let island = &self.islands()[self.islands.of_clique[clique]];
                let pairs = island.patches.iter().flat_map(|&patch| self.patches[patch].pairs.clone());
                pairs.filter(|&i| self.pairs[i].elastic_force > 0.0).nth(1).is_none()
            })
    }

    /// Whether geometry may turn anywhere: all that touch something are alone in their islands.
    pub(crate) fn may_turn(&self) -> bool {
        self.touch_alone() && self.pairs.iter().any(|pair| self.carries_alone(pair))
    }

    /// Whether a point runs around a body more than `wander` times as fast as the bodies turn, from the time `s` \[s\]
    /// before to where it is `later`: that of a disc which all but rests on its face is everywhere within a step.
    pub(crate) fn runs(&self, pair: &ContactRow, later: &ContactRow, s: f64, wander: f64) -> bool {
        let ((wa, _), (wb, _)) = (self.velocity_of(pair.body_a), self.velocity_of(pair.body_b));
        let turning = wander * (wa.norm() + wb.norm()) * pair.p_BC.norm();
        (later.p_BC - pair.p_BC).norm() > s * (turning + pair.slip0.norm() + pair.separation0.abs())
    }

    /// Takes how the geometry of pressed contacts turns from where it is after the time `s` \[s\], with the velocities
    /// of the start.
    pub(crate) fn take_turning(&mut self, after: &Problem, s: f64, wander: f64) {
        for i in 0..self.pairs.len() {
            let pair = &self.pairs[i];
            if !self.carries_alone(pair) {
                continue;
            }
            let Some(later) = find_same(&after.pairs, pair, i).map(|at| &after.pairs[at]) else { continue };
            if !self.runs(pair, later, s, wander) {
                let before = self.relative_velocity(pair, &self.v0);
                let change = after.relative_velocity(later, &after.v0) - before;
                self.pairs[i].turning = (change + pair.normal * (later.normal - pair.normal).dot(&before)) / s;
            }
        }
    }

    /// Lets the geometry turn in a step of length `h` over which no surface moves by itself.
    pub(crate) fn turn(&mut self, h: f64) {
        self.pairs.iter_mut().for_each(|pair| pair.bias_velocity = pair.turning * h);
    }

    /// Takes the depths that the last step from the problem `before` led to, of contacts whose geometry turns.
    pub(crate) fn carry_depths(&mut self, before: &Problem, solution: &Solution) {
        for i in 0..self.pairs.len() {
            let pair = &self.pairs[i];
            let Some(old) = find_same(&before.pairs, pair, i).map(|at| &before.pairs[at]) else { continue };
            if old.turning == Vector3::zeros() {
                continue;
            }
            let separation = old.normal.dot(&before.relative_velocity(old, &solution.velocity));
            let vc0 = self.relative_velocity(pair, &self.v0);
            self.pairs[i].carry(old.depth - before.dt * separation, &vc0);
        }
        self.resist_by_loads();
    }

    /// Takes what is known of points that this problem had before it was filled anew.
    pub(crate) fn keep_turning(&mut self, known: &[ContactRow]) {
        for i in 0..self.pairs.len() {
            let pair = &self.pairs[i];
            let Some(old) = find_same(known, pair, i).map(|at| &known[at]) else { continue };
            let vc0 = self.relative_velocity(pair, &self.v0);
            self.pairs[i].turning = old.turning;
            self.pairs[i].carry(old.depth, &vc0);
        }
        self.resist_by_loads();
    }
}
