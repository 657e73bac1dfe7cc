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
//! carry it on, from each to the next; the next step begins with the true depth.

use super::elements::ContactRow;
use super::problem::Problem;
use super::solution::Solution;
use nalgebra::Vector3;

impl ContactRow {
    /// Whether it is the same point of the same bodies.
    pub(super) fn is_same(&self, other: &ContactRow) -> bool {
        (self.key, self.body_a, self.body_b) == (other.key, other.body_a, other.body_b)
    }
}

impl Problem {
    /// The point of this problem that is the same as one of another; `guess` is looked at first.
    pub(super) fn same_point(&self, other: &ContactRow, guess: usize) -> Option<&ContactRow> {
        let is_same = |pair: &&ContactRow| pair.is_same(other);
        self.pairs.get(guess).filter(is_same).or_else(|| self.pairs.iter().find(is_same))
    }

    /// Whether geometry may turn at a point where bodies turn or slide: it alone carries a body that hangs on nothing
    /// else. What links lead turns by their mass matrix as well, and what stands on several points rests or rocks.
    fn carries_alone(&self, pair: &ContactRow) -> bool {
        let bodies = [pair.body_a, pair.body_b].map(|body| &self.bodies[body]);
        let turns = [pair.body_a, pair.body_b].iter().any(|&body| self.velocity_of(body).0 != Vector3::zeros());
        let carried = bodies.iter().find_map(|body| body.clique);
        pair.elastic_force > 0.0
            && (turns || pair.slip0 != Vector3::zeros())
            && bodies.iter().all(|body| body.clique.is_none() || body.free)
            && carried.is_some_and(|clique| {
                let island = &self.islands()[self.islands.of_clique[clique]];
                let pairs = island.patches.iter().flat_map(|&patch| self.patches[patch].pairs.clone());
                pairs.filter(|&i| self.pairs[i].elastic_force > 0.0).nth(1).is_none()
            })
    }

    /// Whether geometry may turn anywhere: all that touch something are alone in their islands.
    pub(crate) fn may_turn(&self) -> bool {
        self.pairs.iter().any(|pair| pair.elastic_force > 0.0)
            && self.touch_alone()
            && self.pairs.iter().any(|pair| self.carries_alone(pair))
    }

    /// Whether a point runs around a body more than `wander` times as fast as the bodies turn, from the time `s` \[s\]
    /// before to where it is `later`: that of a disc which all but rests on its face is everywhere within a step.
    fn runs(&self, pair: &ContactRow, later: &ContactRow, s: f64, wander: f64) -> bool {
        let ((wa, _), (wb, _)) = (self.velocity_of(pair.body_a), self.velocity_of(pair.body_b));
        let turning = wander * (wa.norm() + wb.norm()) * pair.p_BC.norm();
        (later.p_BC - pair.p_BC).norm() > s * (turning + pair.slip0.norm() + pair.separation0.abs())
    }

    /// Takes how the geometry of pressed contacts turns from where it is after the time `s` \[s\], with the velocities
    /// of the start.
    pub(crate) fn take_turning(&mut self, after: &Problem, s: f64, wander: f64) {
        for i in 0..self.pairs.len() {
            let pair = &self.pairs[i];
            let turns = |later: &&ContactRow| self.carries_alone(pair) && !self.runs(pair, later, s, wander);
            self.pairs[i].turning = after.same_point(pair, i).filter(turns).map_or(Vector3::zeros(), |later| {
                let before = self.relative_velocity(pair, &self.v0);
                let change = after.relative_velocity(later, &after.v0) - before;
                (change + pair.normal * (later.normal - pair.normal).dot(&before)) / s
            });
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
            let turns = |old: &&ContactRow| old.turning != Vector3::zeros();
            let Some(old) = before.same_point(pair, i).filter(turns) else { continue };
            let separation = old.normal.dot(&before.relative_velocity(old, &solution.velocity));
            let vc0 = self.relative_velocity(pair, &self.v0);
            self.pairs[i].carry(old.depth - before.dt * separation, &vc0);
        }
    }

    /// Takes what is known of points that this problem had before it was filled anew.
    pub(crate) fn keep_turning(&mut self, known: &[ContactRow]) {
        for i in 0..self.pairs.len() {
            let pair = &self.pairs[i];
            let is_same = |old: &&ContactRow| old.is_same(pair);
            let Some(old) = known.get(i).filter(is_same).or_else(|| known.iter().find(is_same)) else { continue };
            let vc0 = self.relative_velocity(pair, &self.v0);
            self.pairs[i].turning = old.turning;
            self.pairs[i].carry(old.depth, &vc0);
        }
    }
}
