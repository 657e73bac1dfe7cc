//! Forces of a problem before any discretization, for methods that need the rates of motion.
//!
//! Contacts follow the law of Hunt and Crossley with regularized friction ([`ContactRow::explicit_force`]), stops and
//! compliant constraints are their own springs and dampers, and dry friction of joints is that of the convex step,
//! `-F clamp(v/v_s, -1, 1)`.
//!
//! **A rigid element** is a spring and a damper of its own: with the inverse effective mass `w = J M^-1 J'`, the
//! natural frequency `ω = 2π/T` of the period T = [`RIGID_PERIOD`] and the damping ratio ζ,
//!
//! ```text
//! force = -(ω² g + 2 ζ ω J v)/w      (g: violation)
//! ```
//!
//! Constraints are damped critically. Under an acceleration a they yield by a/ω², gravity by 2.5e-7 m. That is the
//! near-rigid law of the convex step at steps of 0.01 s, without the step. A stop acts beyond its place only, on motion
//! in and out alike. It returns the part `e = exp(-π ζ/sqrt(1 - ζ²))` of the speed of an impact: ζ gives the
//! restitution of the stop, and there is no rebound at ζ = 1.
//!
//! A violation is corrected at `correction_speed` at most, elastic stops excepted. A locked velocity is at rest for all
//! positions; a remaining velocity decays at the rate ω and goes to the rest of its tree.

use super::elements::{Element, ElementVisitor, ForceContext, RIGID_RATE, visit_backwards};
use super::problem::Problem;
use super::solution::{ContactImpulse, Solution};
use super::wrench::Wrench;
use nalgebra::Vector3;

/// Visitor that adds the forces of elements.
struct AddForces<'a> {
    problem: &'a mut Problem,
    solution: &'a mut Solution,
    forces: &'a mut [f64],
}

impl ElementVisitor for AddForces<'_> {
    fn visit<E: Element>(&mut self) {
        for at in 0..self.problem.elements.of::<E>().len() {
            let element = self.problem.elements.of::<E>()[at];
            let i = element.velocity();
            let locked = self.problem.trees.locked[i];
            let mobility =
                if element.asks_mobility() && !locked { self.problem.mobility_of_velocity(i) } else { f64::NAN };
            let context = ForceContext { moved: 0.0, velocity: self.problem.trees.v0[i], mobility, locked };
            let force = element.force(&context);
            self.solution.impulses_of_mut::<E>()[at] = force;
            self.forces[i] += force;
        }
    }
}

impl Problem {
    /// Adds to `forces` the generalized forces of contacts, rows and elements at the start of a step, and leaves them
    /// one by one in `solution` as impulses over one second.
    ///
    /// The cliques, bodies and elements must have been added; the step length becomes one second.
    pub fn add_continuous_forces(&mut self, solution: &mut Solution, forces: &mut [f64]) {
        self.step_terms.dt = 1.0;
        solution.start_impulses(self);
        self.add_contacts(&mut solution.pairs, forces);
        for (group, found) in self.constraints.rows.iter().zip(&mut solution.rows) {
            let velocity = self.constraints.support[group.support.clone()]
                .iter()
                .fold(Vector3::zeros(), |sum, support| sum + support.column * self.trees.v0[support.velocity]);
            *found = group.force(&velocity);
            for support in &self.constraints.support[group.support.clone()] {
                forces[support.velocity] += support.column.dot(found);
            }
        }
        // The last kind first: so sums keep the order in which they always were.
        visit_backwards(&mut AddForces { problem: self, solution, forces });
    }

    fn add_contacts(&self, found: &mut [ContactImpulse], forces: &mut [f64]) {
        for (pair, found) in self.contacts.points.iter().zip(found.iter_mut()) {
            let contact = pair;
            found.impulse = contact.explicit_force(0.0);
            found.velocity = contact.start.slip0 + contact.normal * contact.start.separation0;
        }
        self.add_contact_forces(|_| true, found, forces);
    }

    /// Adds to `forces` the generalized forces of the contact points for which `counts` is true, whose forces were
    /// `found`.
    pub fn add_contact_forces(&self, counts: impl Fn(usize) -> bool, found: &[ContactImpulse], forces: &mut [f64]) {
        for patch in &self.contacts.patches {
            let mut wrench = Wrench::default();
            for i in patch.points.clone().filter(|&i| counts(i)) {
                wrench.add(&self.contacts.points[i], &found[i].impulse);
            }
            wrench.add_to(self, patch, forces);
        }
    }

    /// Inverse effective mass at one velocity, with the other velocities of its clique free; not a number where the
    /// mass matrix has no Cholesky factor.
    pub fn mobility_of_velocity(&mut self, velocity: usize) -> f64 {
        let clique = self.clique_of(velocity);
        let at = velocity - self.trees.cliques[clique].velocities.start;
        let rows = &mut self.mobilities.rows;
        rows.clear();
        rows.resize(self.trees.cliques[clique].size(), Vector3::zeros());
        rows[at].x = 1.0;
        self.mobility_of_rows(clique).map_or(f64::NAN, |mobility| mobility.x)
    }

    /// True if there are rows of a rigid constraint, including those that cannot move.
    pub fn has_rigid_groups(&self) -> bool {
        self.constraints.rows.iter().any(|group| group.compliance.is_none())
    }

    /// True if any constraint is rigid.
    pub fn has_rigid_rows(&self) -> bool {
        self.constraints.rows.iter().any(|group| group.compliance.is_none() && group.delassus > 0.0)
    }

    /// Replaces generalized `forces` by the accelerations `M^-1 (forces - bias)`, at the velocities `v` before any was
    /// locked; not a number where a mass matrix has no Cholesky factor.
    pub fn accelerate(&mut self, v: &[f64], forces: &mut [f64]) {
        for (i, force) in forces.iter_mut().enumerate() {
            *force =
                if self.trees.locked[i] { 0.0 } else { *force - self.trees.bias[i] + RIGID_RATE * self.trees.kick[i] };
        }
        for clique in 0..self.trees.cliques.len() {
            let range = self.trees.cliques[clique].velocities.clone();
            if !self.solve_mass(clique, &mut forces[range.clone()]) {
                forces[range].fill(f64::NAN);
            }
        }
        for (i, a) in forces.iter_mut().enumerate().filter(|(i, _)| self.trees.locked[*i]) {
            *a = -RIGID_RATE * v[i];
        }
    }
}
