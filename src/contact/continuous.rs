//! The forces of a problem before any discretization: what acts at a state, for methods that need the rates of motion.
//!
//! Contacts follow the law of Hunt and Crossley with regularized friction ([`PointContact::explicit_force`]), stops and
//! constraints that give way are their own springs and dampers, and dry friction of joints is that of the convex step,
//! `-F clamp(v/v_s, -1, 1)`.
//!
//! **What is rigid** is a spring and a damper of its own: with the inverse effective mass `w = J M^-1 J'`, the natural
//! frequency `ω = 2π/T` of the period T = [`RIGID_PERIOD`] and the damping ratio ζ,
//!
//! ```text
//! force = -(ω² g + 2 ζ ω J v)/w      (g: violation)
//! ```
//!
//! Constraints are damped critically. Under an acceleration a they give way by a/ω², gravity by 2.5e-7 m. That is the
//! near-rigid law of the convex step at steps of 0.01 s, without the step. A stop acts beyond its place only, on motion
//! in and out alike, which returns the part `e = exp(-π ζ/sqrt(1 - ζ²))` of the speed of a blow: ζ is what gives the
//! restitution of the stop, and nothing is given back at ζ = 1.
//!
//! A violation comes back at `correction_speed` at most, elastic stops excepted. A locked velocity is at rest for all
//! positions; what it has left decays at the rate ω and goes to the rest of its tree.

use super::problem::Problem;
use super::solution::{PairImpulse, Solution};
use super::wrench::Wrench;
use super::{CompliantStop, JointFriction, JointStops, RowGroup, STICTION_VELOCITY};
use nalgebra::Vector3;
use std::f64::consts::{PI, TAU};

/// Natural period of what stands for a rigid constraint or stop \[s\].
pub const RIGID_PERIOD: f64 = 1e-3;
/// The same as a rate \[1/s\].
pub const RIGID_RATE: f64 = TAU / RIGID_PERIOD;

impl Problem {
    /// Adds to `forces` what contacts, rows and elements do at the start of a step, as generalized forces, and leaves
    /// them one by one in `solution` as impulses over one second.
    ///
    /// The cliques, bodies and all that acts must have been added; the step length becomes one second.
    pub(crate) fn add_continuous_forces(&mut self, solution: &mut Solution, forces: &mut [f64]) {
        self.dt = 1.0;
        solution.start_impulses(self);
        self.add_contacts(&mut solution.pairs, forces);
        for (group, found) in self.rows.iter().zip(&mut solution.rows) {
            let velocity = self.support[group.support.clone()]
                .iter()
                .fold(Vector3::zeros(), |sum, support| sum + support.column * self.v0[support.velocity]);
            *found = row_force(group, &velocity);
            for support in &self.support[group.support.clone()] {
                forces[support.velocity] += support.column.dot(found);
            }
        }
        for (at, friction) in self.elements.of::<JointFriction>().iter().enumerate() {
            let v = self.v0[friction.velocity];
            let force = -friction.force * (v / STICTION_VELOCITY).clamp(-1.0, 1.0);
            solution.impulses_of_mut::<JointFriction>()[at] = force;
            forces[friction.velocity] += force;
        }
        for (at, stop) in self.elements.of::<CompliantStop>().iter().enumerate() {
            let v = stop.sign * self.v0[stop.velocity];
            let force = stop.stiffness * (-stop.gap).max(0.0) * (1.0 - stop.dissipation * v).max(0.0);
            solution.impulses_of_mut::<CompliantStop>()[at] = stop.sign * force;
            forces[stop.velocity] += stop.sign * force;
        }
        for at in 0..self.elements.of::<JointStops>().len() {
            let stops = self.elements.of::<JointStops>()[at];
            let force = self.stop_force(&stops);
            solution.impulses_of_mut::<JointStops>()[at] = force;
            forces[stops.velocity] += force;
        }
    }

    fn add_contacts(&self, found: &mut [PairImpulse], forces: &mut [f64]) {
        for (pair, found) in self.pairs.iter().zip(found.iter_mut()) {
            let contact = &pair.contact;
            found.impulse = contact.explicit_force(0.0);
            found.velocity = contact.slip0 + contact.normal * contact.separation0;
        }
        self.add_contact_forces(|_| true, found, forces);
    }

    /// Adds to `forces` what contact points do of which `counts` holds and whose forces were `found`, as generalized
    /// forces.
    pub(crate) fn add_contact_forces(&self, counts: impl Fn(usize) -> bool, found: &[PairImpulse], forces: &mut [f64]) {
        for patch in &self.patches {
            let mut wrench = Wrench::default();
            for i in patch.pairs.clone().filter(|&i| counts(i)) {
                wrench.add(&self.pairs[i], &found[i].impulse);
            }
            wrench.add_to(self, patch, forces);
        }
    }

    /// What rigid stops do, positive towards larger positions.
    fn stop_force(&mut self, stops: &JointStops) -> f64 {
        let JointStops { velocity, lower_gap, upper_gap, correction_speed, rebound } = *stops;
        let (way, sign) = if lower_gap < upper_gap { (-lower_gap, 1.0) } else { (-upper_gap, -1.0) };
        if way <= 0.0 || self.locked[velocity] {
            return 0.0;
        }
        let clique = self.clique_of(velocity);
        let at = velocity - self.cliques[clique].velocities.start;
        let row = &mut self.mobilities.row;
        row.clear();
        row.resize(self.cliques[clique].size(), 0.0);
        row[at] = 1.0;
        let Some(mobility) = self.mobility_of_row(clique) else { return f64::NAN };
        let damping = damping_ratio(rebound.restitution);
        let mut back = RIGID_RATE * way;
        if rebound.restitution == 0.0 {
            back = back.min(2.0 * correction_speed);
        }
        sign * RIGID_RATE * (back - 2.0 * damping * sign * self.v0[velocity]) / mobility
    }

    /// Whether any constraint is rigid.
    pub(crate) fn has_rigid_rows(&self) -> bool {
        self.rows.iter().any(|group| group.compliance.is_none() && group.delassus > 0.0)
    }

    /// Makes of generalized `forces` the accelerations `M^-1 (forces - bias)`, at the velocities `v` that were before
    /// any was locked; not a number where a mass matrix has no Cholesky factor.
    pub(crate) fn accelerate(&mut self, v: &[f64], forces: &mut [f64]) {
        for (i, force) in forces.iter_mut().enumerate() {
            *force = if self.locked[i] { 0.0 } else { *force - self.bias[i] + RIGID_RATE * self.kick[i] };
        }
        for clique in 0..self.cliques.len() {
            let range = self.cliques[clique].velocities.clone();
            if !self.solve_mass(clique, &mut forces[range.clone()]) {
                forces[range].fill(f64::NAN);
            }
        }
        for (i, a) in forces.iter_mut().enumerate().filter(|(i, _)| self.locked[*i]) {
            *a = -RIGID_RATE * v[i];
        }
    }
}

/// The force of a group of rows whose velocity is `velocity`. What gives way is no stiffer than what is rigid.
fn row_force(group: &RowGroup, velocity: &Vector3<f64>) -> Vector3<f64> {
    if group.delassus <= 0.0 {
        return Vector3::zeros();
    }
    let (rigid, damper) = (RIGID_RATE * RIGID_RATE / group.delassus, 2.0 * RIGID_RATE / group.delassus);
    if let Some(compliance) = group.compliance {
        return -group.violation * compliance.stiffness.min(rigid) - velocity * compliance.damping.min(damper);
    }
    let speed = 0.5 * RIGID_RATE * group.violation.norm();
    let share = if speed > group.correction_speed { group.correction_speed / speed } else { 1.0 };
    -group.violation * (rigid * share) - velocity * damper
}

/// The damping ratio of a spring that gives back the part `restitution` of the speed at which it is struck.
fn damping_ratio(restitution: f64) -> f64 {
    if restitution <= 0.0 {
        return 1.0;
    }
    let decrement = -restitution.ln();
    decrement / (PI * PI + decrement * decrement).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_damping_ratio_gives_the_restitution_back() {
        for e in [0.01, 0.3, 0.7, 1.0_f64] {
            let ratio = damping_ratio(e);
            assert!(((-PI * ratio / (1.0 - ratio * ratio).sqrt()).exp() - e).abs() < 1e-14, "{e}");
        }
        assert_eq!(damping_ratio(0.0), 1.0);
    }
}
