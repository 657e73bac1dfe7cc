//! All contact points of a problem: their laws, and values at a velocity.
//!
//! A method fills the impulse and the 3x3 Hessian of each point ([`ContactPool::evaluate`]: those of the cost); the
//! code that carries them to the velocities needs no law ([`ContactValues`]).

use super::ContactLaw;
use super::contact_line::LinePairs;
use crate::contact::{ContactImpulse, Island, Problem, Solution};
use crate::solvers::common::pools::{
    AlongLine, ContactValues, Couple, HessianBlocks, Note, Pieces, Potential, couple_patches, points,
};
use kinegraph_core::convex::surface_of;
use nalgebra::Vector3;

/// The contact points of a problem, in its order.
#[derive(Clone, Debug, Default)]
pub struct ContactPool {
    /// Their laws.
    pub(in crate::solvers) laws: Vec<ContactLaw>,
    /// Values of the points at the current velocity.
    pub values: ContactValues,
    /// The points of the island along the search direction.
    line: LinePairs,
}

impl ContactPool {
    /// Calls `f` with the index of every contact point of the island.
    #[inline(always)]
    pub(in crate::solvers) fn for_each(problem: &Problem, island: &Island, mut f: impl FnMut(usize)) {
        for &p in &island.patches {
            for i in problem.contacts.patches[p].points.clone() {
                f(i);
            }
        }
    }

    /// Evaluates velocities, impulses and Hessians of the cost of all points of the island at `v`.
    pub fn evaluate(&mut self, problem: &Problem, island: &Island, v: &[f64]) {
        let ContactPool { laws, values, .. } = self;
        values.set_velocities(problem, island, v);
        Self::for_each(problem, island, |i| {
            (values.impulse[i], values.curvature[i]) = laws[i].impulse_and_hessian(&values.vc[i]);
        });
    }

    /// Prepares for [`add_along`](Potential::add_along) with the velocities and rates that were set.
    pub(in crate::solvers) fn set_line(&mut self, problem: &Problem, island: &Island) {
        self.line.set(problem, island, &self.laws, &self.values.vc, &self.values.uc);
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
        self.laws.extend(problem.contacts.points.iter().map(|pair| ContactLaw::new(pair, problem.step_terms.dt)));
        self.values.reset(problem);
    }

    fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    fn is_quadratic(&self, island: &Island) -> bool {
        island.patches.is_empty()
    }

    fn couple(&self, problem: &Problem, island: &Island, couple: &mut Couple<'_>) {
        couple_patches(problem, island, couple);
    }

    /// Cost at the velocities that were set.
    fn cost(&self, problem: &Problem, island: &Island, _: &[f64]) -> f64 {
        let mut sum = 0.0;
        Self::for_each(problem, island, |i| sum += self.laws[i].cost(&self.values.vc[i]));
        sum
    }

    /// Adds the gradient by the impulses in the pool.
    #[inline(always)]
    fn add_gradient(&self, problem: &Problem, island: &Island, _: &[f64], gradient: &mut [f64]) {
        self.values.add_gradient(problem, island, gradient);
    }

    /// Adds the Hessians in the pool.
    #[inline(always)]
    fn add_hessian(&self, problem: &Problem, island: &Island, _: &[f64], h: &mut HessianBlocks<'_>) {
        self.values.add_hessian(problem, island, h);
    }

    /// Adds the derivatives on the line that was set.
    fn add_along(&self, _: &Problem, _: &Island, _: &[f64], _: &[f64], alpha: f64, sum: &mut AlongLine) {
        let own = self.line.derivatives(alpha);
        (sum.slope, sum.curvature) = (sum.slope + own.0, sum.curvature + own.1);
    }

    /// Notes the pieces at the velocities that were set.
    fn note_pieces(&self, problem: &Problem, island: &Island, _: &[f64], note: &mut Note<'_>) {
        for &p in &island.patches {
            let mut pairs = problem.contacts.patches[p].points.clone().peekable();
            while let Some(first) = pairs.next() {
                let mut i = first;
                let mut key = problem.contacts.points[first].key;
                // Of a contact surface, the polygon with the largest load decides.
                if let Some(surface) = surface_of(key) {
                    let carries = |i: usize| self.laws[i].end_force(&self.values.vc[i]);
                    while let Some(next) =
                        pairs.next_if(|&next| surface_of(problem.contacts.points[next].key) == Some(surface))
                    {
                        i = if carries(next) > carries(i) { next } else { i };
                    }
                    key = surface;
                }
                let end = self.laws[i].piece(&self.values.vc[i]);
                let start = self.laws[i].piece_at_start(end);
                let ended = self.laws[i].slid_for(&self.values.vc[i]);
                let pieces = Pieces { coarse: end.coarse(), end: end.0, start: start.0, ended };
                problem.cliques_of(p).for_each(|clique| note(clique, key, pieces));
            }
        }
    }

    /// True if a point touches at the velocities that were set.
    fn is_touching(&self, problem: &Problem, island: &Island, _: &[f64]) -> bool {
        points(problem, island).any(|i| self.laws[i].piece(&self.values.vc[i]).coarse() != 0)
    }

    /// Sum over the impulses in the pool.
    fn impulse_norms_of_velocity(&self, problem: &Problem, island: &Island, v: &[f64]) -> f64 {
        let mut sum = 0.0;
        for &p in &island.patches {
            let patch = &problem.contacts.patches[p];
            let [a, b] = [patch.body_a, patch.body_b].map(|body| problem.body_velocity(body, v));
            let speed = |(w, v): &(Vector3<f64>, Vector3<f64>), p: &Vector3<f64>| v.norm() + w.norm() * p.norm();
            for i in patch.points.clone() {
                let (pair, law) = (&problem.contacts.points[i], &self.laws[i]);
                let (vn, vt) = law.split(&self.values.vc[i]);
                let slope = law.friction_impulse / law.soft_norm(&vt) - law.normal_impulse(vn).1;
                sum += slope * (speed(&a, &pair.p_AC) + speed(&b, &pair.p_BC)) * law.mobility.sqrt();
            }
        }
        sum
    }

    fn impulse_norms(&self, problem: &Problem, island: &Island, _: &[f64]) -> f64 {
        let mut sum = 0.0;
        Self::for_each(problem, island, |i| sum += self.values.impulse[i].norm() * self.laws[i].mobility.sqrt());
        sum
    }

    /// Writes the impulses at the velocities that were set.
    fn write(&self, _: &Problem, _: &[f64], solution: &mut Solution) {
        let pairs = self.laws.iter().zip(&self.values.vc);
        solution.pairs.clear();
        solution.pairs.extend(pairs.map(|(law, vc)| ContactImpulse { impulse: law.impulse(vc), velocity: *vc }));
    }
}
