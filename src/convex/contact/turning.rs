//! Contact geometry that turns within a step, and the depths that follow it.
//!
//! The convex step freezes the place and the normal n of a contact point. Where the point runs around a body (a coin on
//! its rim) or over a curved one, the relative velocity J v of the bodies there changes within a step, even while the
//! velocities v of the bodies do not. Its rate is
//!
//! ```text
//! g = d/ds [J(q0 + s v0)] v0 + n (dn/ds · J v0)
//! ```
//!
//! With `h g` added to J v, the law of a step of length h sees the relative velocity at the end of the step. An impulse
//! still acts along the geometry of the start, equal and opposite on the two bodies. g depends on the state at the
//! start alone, not on h.
//!
//! The law takes the depth at the end of the step to be
//!
//! ```text
//! d1 = d0 - h n · (J v1 + h g)
//! ```
//!
//! The true depth at q1 differs from d1 in the second order of h, and the stiffness, however large, multiplies the
//! difference. So each part of an attempt starts from the depth that the law of the part before predicts. At the end of
//! the step the body is moved along the normal until its depth is that of the law: a displacement within the error of
//! the step, which leaves no velocity. Without it a lightly loaded contact would begin its next step many times as deep
//! as its load presses it, and throw the body off. Bodies that have parted by the law are moved out of contact, for the
//! same reason.
//!
//! The force at such a depth is that of the part before, which was solved with the geometry of its own start. In the
//! middle of a step this force lags by a quarter to a half of the step, and so would the friction that it loads.
//! Extrapolation does not remove the lag, since the first part begins with a force that does not lag. But the contact
//! force F at which the relative velocity does not change is known at the start of both parts:
//!
//! ```text
//! J M⁻¹ (f + J' F) + g = 0
//! ```
//!
//! with the other forces f on the body. Where F is outside the cone of friction, the body slides, and the component of
//! the same equation along n gives the normal part of F. With w the mobility along n, a step of length h follows the
//! part `x / (1 + x)` of a change of that normal part by its force, `x = k w h²`; a soft contact follows the rest by
//! its velocity. This part of the change is added to the load of friction.

use super::elements::{Balance, ContactRow, ContactStart};
use super::problem::Problem;
use super::solution::Solution;
use nalgebra::{Matrix3, Matrix3x6, Vector3, Vector6};

/// Index in `pairs` of the same point as `other`, which is of another problem; `guess` is tried first.
pub(super) fn find_same(pairs: &[ContactRow], other: &ContactRow, guess: usize) -> Option<usize> {
    let of = |pair: &ContactRow| (pair.key, pair.body_a, pair.body_b);
    let is_same = |pair: &ContactRow| of(pair) == of(other);
    if pairs.get(guess).is_some_and(is_same) { Some(guess) } else { pairs.iter().position(is_same) }
}

impl Problem {
    /// Point that is `other` of another problem; `guess` is tried first.
    pub fn same_point(&self, other: &ContactRow, guess: usize) -> Option<&ContactRow> {
        find_same(&self.contacts.points, other, guess).map(|at| &self.contacts.points[at])
    }

    /// Relative velocity at a point \[m/s\] in the law of a step of length `h`, with the velocities `v` at its end. The
    /// length for which the problem was solved last may be another.
    pub(super) fn velocity_after(&self, pair: &ContactRow, h: f64, v: &[f64]) -> Vector3<f64> {
        self.relative_velocity(pair, v) + pair.turning * (h - self.step_terms.dt)
    }

    /// Depth \[m\] that the law predicts at the end of a step of length `h` with the velocities `v`, at the same point
    /// as `other`, which is of another problem.
    pub fn depth_after(&self, other: &ContactRow, guess: usize, h: f64, v: &[f64]) -> Option<f64> {
        let pair = self.same_point(other, guess)?;
        Some(pair.depth - h * pair.normal.dot(&self.velocity_after(pair, h, v)))
    }

    /// True if the turning of geometry is followed at a point: the bodies turn or slide, and the point alone carries a
    /// free body. Linked bodies are left out, since their mass matrix turns as well, and so are bodies on several
    /// points, which rest or rock.
    fn carries_alone(&self, pair: &ContactRow) -> bool {
        let bodies = [pair.body_a, pair.body_b];
        let turns = bodies.iter().any(|&body| self.velocity_of(body).0 != Vector3::zeros());
        pair.start.elastic_force > 0.0
            && (turns || pair.start.slip0 != Vector3::zeros())
            && !bodies.into_iter().any(|body| self.trees.bodies[body].hangs())
            && self.pressed_with(pair).take(2).count() == 1
    }

    /// True if the turning of geometry is followed at some point: all bodies in contact are alone in their islands, and
    /// that point alone carries one of them.
    pub fn may_turn(&self) -> bool {
        self.touch_alone() && self.contacts.points.iter().any(|pair| self.carries_alone(pair))
    }

    /// True if a point, which is at `later` after the time `s` \[s\], moves around a body more than `wander` times as
    /// fast as the bodies turn and slide. The contact point of a disc that nearly rests on its face does: within a step
    /// it may be anywhere on the rim.
    pub fn runs(&self, pair: &ContactRow, later: &ContactRow, s: f64, wander: f64) -> bool {
        let ((wa, _), (wb, _)) = (self.velocity_of(pair.body_a), self.velocity_of(pair.body_b));
        let slip0 = if pair.has_grain() { self.sliding(pair, &self.trees.v0) } else { pair.start.slip0 };
        let moves = (wa.norm() + wb.norm()) * pair.p_BC.norm() + slip0.norm().max(later.start.slip0.norm());
        let approach = pair.start.separation0.abs().max(later.start.separation0.abs());
        (later.p_BC - pair.p_BC).norm() > s * (wander * moves + approach)
    }

    /// True if a point, which is at `later` after the time `s` \[s\], is that of a disc on its rim that leans by more
    /// than it is pressed in. If the disc leans by the angle a and rocks at the rate w, the point moves around at w/a.
    /// With less lean the disc lies on its face: then its deepest point has no meaning.
    fn tilts(&self, pair: &ContactRow, later: &ContactRow, s: f64) -> bool {
        let ((wa, _), (wb, _)) = (self.velocity_of(pair.body_a), self.velocity_of(pair.body_b));
        let turning = (wb - wa).cross(&pair.normal).norm();
        pair.depth * (later.p_BC - pair.p_BC).norm() < s * turning * pair.p_BC.norm_squared()
    }

    /// True if a point, which is at `later` after the time `s` \[s\], has moved as the bodies do, or as a disc that
    /// leans explains.
    pub(super) fn stays(&self, pair: &ContactRow, later: &ContactRow, s: f64, wander: f64) -> bool {
        !self.runs(pair, later, s, wander) || self.tilts(pair, later, s)
    }

    /// Sets the turning of the geometry of pressed contacts by differences to `after`, the points after the time `s`
    /// \[s\] of motion with the velocities of the start.
    pub fn take_turning(&mut self, after: &[ContactRow], s: f64, wander: f64) {
        for i in 0..self.contacts.points.len() {
            let pair = &self.contacts.points[i];
            if !self.carries_alone(pair) {
                continue;
            }
            let Some(later) = find_same(after, pair, i).map(|at| &after[at]) else { continue };
            if self.stays(pair, later, s, wander) {
                let before = self.relative_velocity(pair, &self.trees.v0);
                let change = self.relative_velocity(later, &self.trees.v0) - before;
                self.contacts.points[i].turning =
                    (change + pair.normal * (later.normal - pair.normal).dot(&before)) / s;
                self.contacts.points[i].balance = self.balance_of(i);
            }
        }
    }

    /// Normal force \[N\] at which the relative velocity at point `i`, which alone carries a free body, does not
    /// change; where it slides, the speed of separation does not change.
    fn balance_of(&mut self, i: usize) -> Balance {
        let ContactRow { body_a, body_b, p_AC, p_BC, normal, turning, start, grain, .. } = self.contacts.points[i];
        let ContactStart { friction, slip0, .. } = start;
        let on_b = self.trees.bodies[body_b].clique.map(|clique| (clique, p_BC, 1.0));
        let on_a = || self.trees.bodies[body_a].clique.map(|clique| (clique, p_AC, -1.0));
        let Some((clique, p, sign)) = on_b.or_else(on_a) else { return Balance::default() };
        let mut jacobian = Matrix3x6::zeros();
        jacobian.fixed_view_mut::<3, 3>(0, 0).copy_from(&-p.cross_matrix());
        jacobian.fixed_view_mut::<3, 3>(0, 3).copy_from(&Matrix3::identity());
        if grain != Vector3::zeros() {
            jacobian -= grain * (jacobian.tr_mul(&grain)).transpose();
        }
        let mut yields = jacobian.transpose();
        if self.trees.cliques[clique].size() != yields.nrows()
            || !yields.column_iter_mut().all(|mut row| self.solve_mass(clique, row.as_mut_slice()))
        {
            return Balance::default();
        }
        let first = self.trees.cliques[clique].velocities.start;
        let force = Vector6::from_fn(|k, _| self.step_terms.force[first + k] - self.trees.bias[first + k]);
        let (mobility, free) = (jacobian * yields, yields.tr_mul(&force) * sign + turning);
        let held = mobility.try_inverse();
        // Where one direction has no friction, nothing holds the body in it.
        let never_held = held.is_none() && grain != Vector3::zeros();
        let held = held.map_or(Vector3::zeros(), |inverse| inverse * -free);
        let load = held.dot(&normal);
        let mobility_of = |direction: Vector3<f64>| normal.dot(&(mobility * direction));
        if !never_held && (held - normal * load).norm() <= friction * load {
            return Balance { force: load, mobility: mobility_of(normal) };
        }
        let slides = normal - slip0.try_normalize(0.0).unwrap_or_default() * friction;
        Balance { force: -free.dot(&normal) / mobility_of(slides), mobility: mobility_of(normal) }
    }

    /// Adds to the loads of contacts whose geometry turns what their balance has changed by since the problem `before`.
    pub fn carry_loads(&mut self, before: &Problem) {
        for i in 0..self.contacts.points.len() {
            let pair = &self.contacts.points[i];
            let Some(old) = find_same(&before.contacts.points, pair, i).map(|at| &before.contacts.points[at]) else {
                continue;
            };
            if old.turning != Vector3::zeros() && pair.turning != Vector3::zeros() {
                let stiffness_ratio =
                    before.step_terms.dt * before.step_terms.dt * old.material.stiffness * old.balance.mobility;
                let change = (pair.balance.force - old.balance.force) * stiffness_ratio / (1.0 + stiffness_ratio);
                let load = pair.start.normal_force + change;
                self.contacts.points[i].take_load(load.max(0.0));
            }
        }
    }

    /// Adds the turning of the geometry to the laws of a step of length `h`. No surface may move by itself (belts).
    pub fn turn(&mut self, h: f64) {
        self.contacts.points.iter_mut().for_each(|pair| pair.bias_velocity = pair.turning * h);
    }

    /// Sets the depths of contacts whose geometry turns to those that the law of the problem `before` predicts at its
    /// end.
    pub fn carry_depths(&mut self, before: &Problem, solution: &Solution) {
        for i in 0..self.contacts.points.len() {
            let pair = &self.contacts.points[i];
            let Some(old) = find_same(&before.contacts.points, pair, i).map(|at| &before.contacts.points[at]) else {
                continue;
            };
            if old.turning == Vector3::zeros() {
                continue;
            }
            let separation = old.normal.dot(&before.relative_velocity(old, &solution.velocity));
            let vc0 = self.relative_velocity(pair, &self.trees.v0);
            self.contacts.points[i].carry(old.depth - before.step_terms.dt * separation, &vc0);
        }
    }

    /// Restores turning, depths and loads from `known`, the points of this problem before it was filled again.
    pub fn keep_turning(&mut self, known: &[ContactRow]) {
        for i in 0..self.contacts.points.len() {
            let pair = &self.contacts.points[i];
            let Some(old) = find_same(known, pair, i).map(|at| &known[at]) else { continue };
            let vc0 = self.relative_velocity(pair, &self.trees.v0);
            self.contacts.points[i].turning = old.turning;
            self.contacts.points[i].carry(old.depth, &vc0);
            self.contacts.points[i].take_load(old.start.normal_force);
            self.contacts.points[i].balance = old.balance;
        }
        self.resist_by_loads();
    }
}
