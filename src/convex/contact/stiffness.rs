//! Stiffness of a problem against its step, and the cliques that may be extrapolated.

use super::contacts::Patch;
use super::elements::ContactRow;
use super::feedback::FeedbackBlock;
use super::problem::Problem;
use crate::choices::stiffness::{IDLE, MAX_CHANGE, MAX_INCREASE};
use crate::linear_algebra::Cholesky;
use kinegraph_core::convex::surface_of;

impl Problem {
    /// Marks the cliques of islands that must not be extrapolated: where a displacement by `h dv` would change a
    /// contact force by several times itself, since a stiff contact turns a small displacement into much energy; and
    /// where bodies strike each other too hard for the step to follow, from apart or already pressed together, since
    /// velocities of full and half steps then have little to do with each other. Marks as `turning` the cliques of
    /// bodies that turn fast within constraints.
    ///
    /// Stiff feedback may be extrapolated, symmetric or not: with K itself in the step a pole at p is followed by
    /// `2 / (1 - h p/2)^2 - 1 / (1 - h p)`, whose modulus is at most 1 in the whole left half plane, and zero at
    /// infinity.
    pub fn disturbed(&self, dv: &[f64], h: f64, marked: &mut Vec<bool>, turning: &mut Vec<bool>) {
        for marked in [&mut *marked, &mut *turning] {
            marked.clear();
            marked.resize(self.trees.cliques.len(), false);
        }
        for patch in &self.contacts.patches {
            for pair in &self.contacts.points[patch.points.clone()] {
                let contact = pair;
                let change = self.point_velocity(patch.body_b, &pair.p_BC, dv)
                    - self.point_velocity(patch.body_a, &pair.p_AC, dv);
                let force = contact
                    .start
                    .elastic_force
                    .max(contact.start.elastic_force - h * contact.material.stiffness * contact.start.separation0)
                    .max(0.0);
                let moves = force > 0.0
                    && h * contact.material.stiffness * contact.normal.dot(&change).abs() > MAX_CHANGE * force;
                let strikes = force > MAX_INCREASE * contact.start.elastic_force.max(0.0) && !contact.follows_impact(h);
                if (moves || strikes) && !self.is_idle(patch, contact, force) {
                    for body in [patch.body_a, patch.body_b] {
                        if let Some(clique) = self.trees.bodies[body].clique {
                            marked[clique] = true;
                        }
                    }
                }
            }
        }
        self.mark_stiff_ranges(dv, h, marked);
        self.mark_turning_in_constraints(h, turning);
        for island in self.islands.all() {
            for marked in [&mut *marked, &mut *turning] {
                let any = island.cliques.iter().any(|&c| marked[c]);
                island.cliques.iter().for_each(|&c| marked[c] = any);
            }
        }
    }

    /// True if a point with this largest `force` lies on the rim of a contact surface, where it carries nothing.
    fn is_idle(&self, patch: &Patch, point: &ContactRow, force: f64) -> bool {
        let surface = surface_of(point.key);
        let carries = |other: &ContactRow| surface_of(other.key) == surface && force < IDLE * other.start.elastic_force;
        surface.is_some() && self.contacts.points[patch.points.clone()].iter().any(carries)
    }

    /// Marks the cliques that ranges of rows disturb, by the rules for contacts.
    fn mark_stiff_ranges(&self, dv: &[f64], h: f64, marked: &mut [bool]) {
        for (group, rows) in self.constraints.rows.iter().enumerate().filter(|(_, rows)| rows.range.is_some()) {
            let (rate, change) = (self.row_velocity(group, &self.trees.v0).x, self.row_velocity(group, dv).x);
            for stop in rows.stops() {
                let elastic = stop.stiffness * (-stop.gap).max(0.0);
                let force = elastic.max(stop.stiffness * (-stop.gap - h * stop.sign * rate)).max(0.0);
                let moves = force > 0.0 && h * stop.stiffness * change.abs() > MAX_CHANGE * force;
                let strikes = force > MAX_INCREASE * elastic && h * (stop.stiffness * rows.delassus).sqrt() > 1.0;
                if moves || strikes {
                    self.constraints.support[rows.support.clone()]
                        .iter()
                        .for_each(|support| marked[support.clique] = true);
                }
            }
        }
    }

    /// True if anything moved by one of `cliques` touches something at the start of the step.
    pub fn touches(&self, cliques: &[usize]) -> bool {
        let pressed = |patch: &Patch| {
            self.contacts.points[patch.points.clone()].iter().any(|pair| pair.start.elastic_force > 0.0)
        };
        let moved = |body: usize| self.trees.bodies[body].clique.is_some_and(|c| cliques.contains(&c));
        self.contacts.patches.iter().any(|patch| (moved(patch.body_a) || moved(patch.body_b)) && pressed(patch))
    }

    /// True if nothing acts but inertia, damping, springs, feedback and rigid constraints at the start of the step
    /// (joint stops apart): no contact, no compliant constraint, no range beyond an end, no lock.
    pub fn is_free(&self) -> bool {
        self.contacts.points.iter().all(|pair| pair.depth < 0.0)
            && self.constraints.rows.iter().all(|group| group.compliance.is_none() || group.is_slack())
            && self.elements.leave_motion_free()
            && !self.trees.locked.contains(&true)
    }

    /// Momenta `M v`, clique by clique.
    pub fn momenta_of(&self, v: &[f64], momenta: &mut Vec<f64>) {
        momenta.clear();
        momenta.resize(self.size(), 0.0);
        for clique in &self.trees.cliques {
            let (n, range) = (clique.size(), clique.velocities.clone());
            let columns = self.trees.mass[clique.block..].chunks_exact(n).zip(&v[range.clone()]);
            for (column, v) in columns {
                momenta[range.clone()].iter_mut().zip(column).for_each(|(p, m)| *p += m * v);
            }
        }
    }

    /// Gain of the plant's damping and springs on one velocity in a step of length `dt`: `D + dt K`.
    pub fn own_gain(&self, velocity: usize, dt: f64) -> f64 {
        let springs =
            self.trees.springs.iter().filter(|spring| spring.velocity == velocity).map(|spring| spring.gain(dt));
        self.trees.damping[velocity] + springs.sum::<f64>()
    }

    /// Stiffness of a block of feedback relative to inertia within a step of length `dt`: the largest row sum of `dt
    /// |P|`, scaled by the masses.
    fn block_stiffness(&self, block: &FeedbackBlock, dt: f64) -> f64 {
        let n = block.velocities.len();
        let row = |row: usize| -> f64 {
            let scaled = |k: usize| block.gain[k * n + row].abs() * self.trees.scale[block.velocities[k]];
            dt * self.trees.scale[block.velocities[row]] * (0..n).map(scaled).sum::<f64>()
        };
        (0..n).map(row).fold(0.0, f64::max)
    }

    /// True if damping, springs and feedback are soft in a step of length `dt`, for any motion: none of the rates of `M
    /// v' = -(D + dt K + P) v` is beyond `most / dt`. Equivalently, `most M - dt (D + dt K + P)` is positive definite,
    /// with P the symmetric part. The diagonal does not show that: joints may turn against each other so that almost no
    /// mass moves. For feedback between cliques, whose masses are independent,
    /// [`stiffness_ratio`](Self::stiffness_ratio) is enough.
    pub fn is_soft(&self, dt: f64, most: f64, factor: &mut Cholesky) -> bool {
        self.trees.cliques.iter().all(|clique| {
            let (n, first) = (clique.size(), clique.velocities.start);
            let springs = || self.trees.springs.iter().filter(|spring| clique.velocities.contains(&spring.velocity));
            let is_own = |velocity: &usize| clique.velocities.contains(velocity);
            let feedback = || self.feedback.iter().filter(|block| block.velocities.iter().any(is_own));
            let damped = self.trees.damping[clique.velocities.clone()].iter().any(|d| *d != 0.0);
            if !damped && springs().next().is_none() && feedback().next().is_none() {
                return true;
            }
            let matrix = factor.start(n);
            matrix.iter_mut().zip(&self.trees.mass[clique.block..]).for_each(|(to, m)| *to = most * m);
            (0..n).for_each(|i| matrix[i * n + i] -= dt * self.trees.damping[first + i]);
            springs().for_each(|spring| matrix[(spring.velocity - first) * (n + 1)] -= spring.inertia(dt));
            for block in feedback() {
                let (m, gain) = (block.velocities.len(), &block.gain);
                let own = || block.velocities.iter().enumerate().filter(|(_, velocity)| is_own(velocity));
                for (k, j) in own() {
                    let column = &mut matrix[(j - first) * n..][..n];
                    own().for_each(|(r, i)| column[i - first] -= 0.5 * dt * (gain[k * m + r] + gain[r * m + k]));
                }
            }
            factor.factor()
        })
    }

    /// Ratio of the stiffest feedback, damping or spring to inertia within the step: the largest `dt (|P| + D + dt K) /
    /// M` of a row.
    pub fn stiffness_ratio(&self) -> f64 {
        let ratio = |i: usize, gain: f64| self.step_terms.dt * gain * self.trees.scale[i] * self.trees.scale[i];
        let feedback = self.feedback.iter().map(|block| self.block_stiffness(block, self.step_terms.dt));
        let damping = self.trees.damping.iter().enumerate().map(|(i, &d)| ratio(i, d));
        let springs = self.trees.springs.iter().map(|spring| ratio(spring.velocity, spring.gain(self.step_terms.dt)));
        feedback.chain(damping).chain(springs).fold(0.0, f64::max)
    }
}
