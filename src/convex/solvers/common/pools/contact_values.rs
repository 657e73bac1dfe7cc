//! Values of the contact points of a problem at a velocity, for any law.
//!
//! Contact acts through body velocities: the points of a patch are summed into one wrench on each body, which the
//! Jacobians then carry to the cliques. Points of few on a tree have [Jacobians](PointJacobians) of their own.

use super::{Couple, HessianBlocks, PointJacobians, contact_hessian};
use crate::contact::{Island, Problem, Wrench};
use nalgebra::{Matrix3, Vector3};

/// Values of all contact points, in the order of the problem.
#[derive(Clone, Debug, Default)]
pub struct ContactValues {
    /// Relative velocity of each point at the current velocity (B relative to A).
    pub vc: Vec<Vector3<f64>>,
    /// Rate of `vc` along the search direction.
    pub uc: Vec<Vector3<f64>>,
    /// Impulse of each point on B \[N s\].
    pub impulse: Vec<Vector3<f64>>,
    /// Hessian of each point, symmetric positive semidefinite \[kg\].
    pub curvature: Vec<Matrix3<f64>>,
    /// Jacobians of points on trees.
    pub jacobians: PointJacobians,
}

impl ContactValues {
    /// Zeros for all points of the problem.
    pub fn reset(&mut self, problem: &Problem) {
        let count = problem.contacts.points.len();
        for v in [&mut self.vc, &mut self.uc, &mut self.impulse] {
            v.clear();
            v.resize(count, Vector3::zeros());
        }
        self.curvature.clear();
        self.curvature.resize(count, Matrix3::zeros());
        self.jacobians.set(problem);
    }

    /// Computes the relative velocities of all points of the island at the velocities `v`.
    #[inline(always)]
    pub fn set_velocities(&mut self, problem: &Problem, island: &Island, v: &[f64]) {
        let ContactValues { jacobians, vc, .. } = self;
        measure(problem, island, v, jacobians, |i, velocity| {
            vc[i] = velocity + problem.contacts.points[i].bias_velocity
        });
    }

    /// Computes the rates of the relative velocities along the direction `w`.
    #[inline(always)]
    pub fn set_rates(&mut self, problem: &Problem, island: &Island, w: &[f64]) {
        let ContactValues { jacobians, uc, .. } = self;
        measure(problem, island, w, jacobians, |i, velocity| uc[i] = velocity);
    }

    /// Subtracts the generalized impulses of the points.
    #[inline(always)]
    pub fn add_gradient(&self, problem: &Problem, island: &Island, gradient: &mut [f64]) {
        subtract_impulses(problem, island, &self.jacobians, |i| self.impulse[i], gradient);
    }

    /// Adds the Hessians of the points.
    #[inline(always)]
    pub fn add_hessian(&self, problem: &Problem, island: &Island, h: &mut HessianBlocks<'_>) {
        contact_hessian::add(problem, island, &self.jacobians, &self.curvature, h);
    }
}

/// Calls `take` with every contact point of the island and its velocity, without that of surfaces, at the velocities
/// `v`.
#[inline(always)]
fn measure(
    problem: &Problem,
    island: &Island,
    v: &[f64],
    jacobians: &PointJacobians,
    mut take: impl FnMut(usize, Vector3<f64>),
) {
    for &p in &island.patches {
        let patch = &problem.contacts.patches[p];
        if !jacobians.of(patch.points.start).is_empty() {
            for i in patch.points.clone() {
                take(i, jacobians.velocity(jacobians.of(i), v));
            }
            continue;
        }
        let (a, b) = (problem.body_velocity(patch.body_a, v), problem.body_velocity(patch.body_b, v));
        for i in patch.points.clone() {
            take(i, problem.contacts.points[i].velocity_between(&a, &b));
        }
    }
}

/// Contact points of an island.
pub fn points<'a>(problem: &'a Problem, island: &'a Island) -> impl Iterator<Item = usize> + 'a {
    island.patches.iter().flat_map(|&p| problem.contacts.patches[p].points.clone())
}

/// Reports the cliques that the contact points of an island couple.
pub fn couple_patches(problem: &Problem, island: &Island, couple: &mut Couple<'_>) {
    for &p in &island.patches {
        let patch = &problem.contacts.patches[p];
        if let (Some(a), Some(b)) =
            (problem.trees.bodies[patch.body_a].clique, problem.trees.bodies[patch.body_b].clique)
        {
            couple(a, b);
        }
    }
}

/// Subtracts `J' gamma` of the island, where `impulse` gives gamma of each point.
#[inline(always)]
pub fn subtract_impulses(
    problem: &Problem,
    island: &Island,
    jacobians: &PointJacobians,
    mut impulse: impl FnMut(usize) -> Vector3<f64>,
    out: &mut [f64],
) {
    for &p in &island.patches {
        let (patch, mut sum) = (&problem.contacts.patches[p], Wrench::default());
        if !jacobians.of(patch.points.start).is_empty() {
            for i in patch.points.clone() {
                jacobians.subtract(jacobians.of(i), &impulse(i), out);
            }
            continue;
        }
        for i in patch.points.clone() {
            sum.add(&problem.contacts.points[i], &impulse(i));
        }
        sum.subtract_from(problem, patch, out);
    }
}
