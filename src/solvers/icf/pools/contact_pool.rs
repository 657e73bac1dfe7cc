//! All contact points of a problem: their laws, and values at a velocity.
//!
//! A method fills the impulse and the 3x3 Hessian of each point ([`ContactPool::evaluate`]: those of the cost); what
//! follows carries them to the velocities and asks no law. Contact acts through body velocities: the points of a patch
//! are summed into one wrench on each body, which the Jacobians then carry to the cliques.

use super::contact_line::LinePairs;
use super::{ContactLaw, Couple, HessianBlocks, Note, Potential, contact_hessian};
use crate::contact::{Island, PairImpulse, Problem, Solution, Wrench};
use crate::systems::convex::surface_of;
use nalgebra::{Matrix3, Vector3};

/// The contact points of a problem, in its order.
#[derive(Clone, Debug, Default)]
pub struct ContactPool {
    /// Their laws.
    pub(in crate::solvers) laws: Vec<ContactLaw>,
    /// Relative velocity of each point at the current velocity (B relative to A).
    pub(in crate::solvers) vc: Vec<Vector3<f64>>,
    /// Rate of `vc` along the search direction.
    pub(in crate::solvers) uc: Vec<Vector3<f64>>,
    /// Impulse of each point on B \[N s\].
    pub(in crate::solvers) impulse: Vec<Vector3<f64>>,
    /// Hessian of each point, symmetric positive semidefinite \[kg\].
    pub(in crate::solvers) curvature: Vec<Matrix3<f64>>,
    /// The points of the island along the search direction.
    line: LinePairs,
    /// Velocities of the bodies of the island.
    body: Vec<(Vector3<f64>, Vector3<f64>)>,
}

impl ContactPool {
    /// Calls `f` with the index of every contact point of the island.
    pub(in crate::solvers) fn for_each(problem: &Problem, island: &Island, f: impl FnMut(usize)) {
        island.patches.iter().flat_map(|&p| problem.patches[p].pairs.clone()).for_each(f);
    }

    /// Relative velocities of all points of the island when the velocities are `v`.
    pub(in crate::solvers) fn set_velocities(&mut self, problem: &Problem, island: &Island, v: &[f64]) {
        for &b in &island.bodies {
            self.body[b] = problem.body_velocity(b, v);
        }
        for &p in &island.patches {
            let patch = &problem.patches[p];
            let ((wa, va), (wb, vb)) = (self.body[patch.body_a], self.body[patch.body_b]);
            for i in patch.pairs.clone() {
                let pair = &problem.pairs[i];
                self.vc[i] = (vb + wb.cross(&pair.p_BC)) - (va + wa.cross(&pair.p_AC)) + pair.bias_velocity;
            }
        }
    }

    /// Their rates along the direction `w`.
    pub(in crate::solvers) fn set_rates(&mut self, problem: &Problem, island: &Island, w: &[f64]) {
        for &b in &island.bodies {
            self.body[b] = problem.body_velocity(b, w);
        }
        for &p in &island.patches {
            let patch = &problem.patches[p];
            let ((wa, va), (wb, vb)) = (self.body[patch.body_a], self.body[patch.body_b]);
            for i in patch.pairs.clone() {
                let pair = &problem.pairs[i];
                self.uc[i] = (vb + wb.cross(&pair.p_BC)) - (va + wa.cross(&pair.p_AC));
            }
        }
    }

    /// Velocities, impulses and Hessians of all points of the island at `v`, those of the cost.
    pub(in crate::solvers) fn evaluate(&mut self, problem: &Problem, island: &Island, v: &[f64]) {
        self.set_velocities(problem, island, v);
        Self::for_each(problem, island, |i| {
            (self.impulse[i], self.curvature[i]) = self.laws[i].impulse_and_hessian(&self.vc[i]);
        });
    }

    /// How large impulses are, in the norm of the gradient, that are as far off for a part of themselves as those of
    /// the island are for the same part of `v`: of what sticks, rounding of a velocity makes a force.
    pub(in crate::solvers) fn impulse_norms_of_velocity(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let mut sum = 0.0;
        for &p in &island.patches {
            let patch = &problem.patches[p];
            let [a, b] = [patch.body_a, patch.body_b].map(|body| problem.body_velocity(body, v));
            let speed = |(w, v): &(Vector3<f64>, Vector3<f64>), p: &Vector3<f64>| v.norm() + w.norm() * p.norm();
            for i in patch.pairs.clone() {
                let (pair, law) = (&problem.pairs[i], &self.laws[i]);
                let (vn, vt) = law.split(&self.vc[i]);
                let slope = law.friction_impulse / law.soft_norm(&vt) - law.normal_impulse(vn).1;
                sum += slope * (speed(&a, &pair.p_AC) + speed(&b, &pair.p_BC)) * law.mobility.sqrt();
            }
        }
        sum
    }

    /// Prepares for [`add_along`](Potential::add_along) from the velocities and rates that were set.
    pub(in crate::solvers) fn set_line(&mut self, problem: &Problem, island: &Island) {
        self.line.set(problem, island, &self.laws, &self.vc, &self.uc);
    }
}

/// Subtracts `J' gamma` of the island, where `impulse` gives gamma of each point.
pub(in crate::solvers) fn subtract_impulses(
    problem: &Problem,
    island: &Island,
    mut impulse: impl FnMut(usize) -> Vector3<f64>,
    out: &mut [f64],
) {
    for &p in &island.patches {
        let (patch, mut sum) = (&problem.patches[p], Wrench::default());
        for i in patch.pairs.clone() {
            sum.add(&problem.pairs[i], &impulse(i));
        }
        sum.subtract_from(problem, patch, out);
    }
}

impl Potential for ContactPool {
    fn copy(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }

    fn kind(&self) -> u64 {
        1
    }

    fn set_step(&mut self, problem: &Problem) {
        self.laws.clear();
        self.laws.extend(problem.pairs.iter().map(|pair| ContactLaw::new(&pair.contact, problem.dt)));
        let count = self.laws.len();
        for v in [&mut self.vc, &mut self.uc, &mut self.impulse] {
            v.clear();
            v.resize(count, Vector3::zeros());
        }
        self.curvature.clear();
        self.curvature.resize(count, Matrix3::zeros());
        self.body.resize(problem.bodies.len(), Default::default());
    }

    fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    fn is_quadratic(&self, island: &Island) -> bool {
        island.patches.is_empty()
    }

    fn couple(&self, problem: &Problem, island: &Island, couple: &mut Couple<'_>) {
        for &p in &island.patches {
            let patch = &problem.patches[p];
            if let (Some(a), Some(b)) = (problem.bodies[patch.body_a].clique, problem.bodies[patch.body_b].clique) {
                couple(a, b);
            }
        }
    }

    /// At the velocities that were set.
    fn cost(&self, problem: &Problem, island: &Island, _: &[f64]) -> f64 {
        let mut sum = 0.0;
        Self::for_each(problem, island, |i| sum += self.laws[i].cost(&self.vc[i]));
        sum
    }

    /// With the impulses that stand in the pool.
    fn add_gradient(&self, problem: &Problem, island: &Island, _: &[f64], gradient: &mut [f64]) {
        subtract_impulses(problem, island, |i| self.impulse[i], gradient);
    }

    /// With the Hessians that stand in the pool.
    fn add_hessian(&self, problem: &Problem, island: &Island, _: &[f64], h: &mut HessianBlocks<'_>) {
        contact_hessian::add(problem, island, &self.curvature, h);
    }

    /// On the line that was set.
    fn add_along(&self, _: &Problem, _: &Island, _: &[f64], _: &[f64], alpha: f64, sum: &mut (f64, f64)) {
        let own = self.line.derivatives(alpha);
        *sum = (sum.0 + own.0, sum.1 + own.1);
    }

    /// At the velocities that were set.
    fn note_pieces(&self, problem: &Problem, island: &Island, _: &[f64], note: &mut Note<'_>) {
        for &p in &island.patches {
            let mut pairs = problem.patches[p].pairs.clone().peekable();
            while let Some(first) = pairs.next() {
                let mut i = first;
                let mut key = problem.pairs[first].key;
                // Of a contact surface, that polygon tells which carries most.
                if let Some(surface) = surface_of(key) {
                    let carries = |i: usize| self.laws[i].end_force(&self.vc[i]);
                    while let Some(next) = pairs.next_if(|&next| surface_of(problem.pairs[next].key) == Some(surface)) {
                        i = if carries(next) > carries(i) { next } else { i };
                    }
                    key = surface;
                }
                let end = self.laws[i].piece(&self.vc[i]);
                let start = self.laws[i].piece_at_start(end);
                note(key, [end.coarse(), end.0, start.0]);
            }
        }
    }

    /// At the velocities that were set.
    fn is_touching(&self, problem: &Problem, island: &Island, _: &[f64]) -> bool {
        let mut pairs = island.patches.iter().flat_map(|&p| problem.patches[p].pairs.clone());
        pairs.any(|i| self.laws[i].piece(&self.vc[i]).coarse() != 0)
    }

    /// Of the impulses that stand in the pool.
    fn impulse_norms(&self, problem: &Problem, island: &Island, _: &[f64]) -> f64 {
        let mut sum = 0.0;
        Self::for_each(problem, island, |i| sum += self.impulse[i].norm() * self.laws[i].mobility.sqrt());
        sum
    }

    /// At the velocities that were set.
    fn write(&self, _: &Problem, _: &[f64], solution: &mut Solution) {
        let pairs = self.laws.iter().zip(&self.vc);
        solution.pairs.clear();
        solution.pairs.extend(pairs.map(|(law, vc)| PairImpulse { impulse: law.impulse(vc), velocity: *vc }));
    }
}
