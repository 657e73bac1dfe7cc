//! All contact points of a problem: their laws, and values at a velocity.

use super::inertia::InertiaFactors;
use super::options::{Digits, SolverOptions, WeightMode};
use super::projection::{ConeLaw, Region};
use super::regularization;
use super::weights::{Float, Weights};
use kinegraph_convex::contact::{ContactImpulse, Island, Problem, Solution};
use kinegraph_convex::solvers::common::pools::{
    AlongLine, ContactValues, Couple, HessianBlocks, Note, Pieces, Potential, couple_patches, points,
};

/// Contact points of a problem, in its order.
#[derive(Clone, Debug, Default)]
pub struct ConePool {
    options: SolverOptions,
    laws: Vec<ConeLaw>,
    /// Values of the points at the present velocity.
    pub values: ContactValues,
    double: Weighing<f64>,
    single: Weighing<f32>,
}

/// Workspace for weights of contact points, in one precision.
#[derive(Clone, Debug, Default)]
struct Weighing<T: Float> {
    weights: Weights<T>,
    factors: InertiaFactors<T>,
}

fn set_laws<T: Float>(
    problem: &Problem,
    options: &SolverOptions,
    Weighing { weights, factors }: &mut Weighing<T>,
    laws: &mut Vec<ConeLaw>,
) {
    if options.weights == WeightMode::BlockDelassus && !problem.contacts.points.is_empty() {
        factors.factor(problem);
    }
    laws.clear();
    for patch in &problem.contacts.patches {
        laws.extend(problem.contacts.points[patch.points.clone()].iter().map(|pair| {
            let weight = weights.weight(options.weights, problem, factors, patch, pair);
            regularization::law(pair, &weight, options, problem.step_terms.dt)
        }));
    }
}

impl ConePool {
    /// Creates an empty pool; laws are made by these options.
    pub fn new(options: SolverOptions) -> Self {
        ConePool { options, ..ConePool::default() }
    }

    /// Evaluates velocities, impulses and Hessians of all points of the island at `v`.
    pub fn evaluate(&mut self, problem: &Problem, island: &Island, v: &[f64]) {
        let ConePool { laws, values, .. } = self;
        values.set_velocities(problem, island, v);
        for i in points(problem, island) {
            (values.impulse[i], values.curvature[i]) = laws[i].impulse_and_hessian(&values.vc[i]);
        }
    }

    /// Evaluates velocities and impulses.
    pub fn evaluate_impulses(&mut self, problem: &Problem, island: &Island, v: &[f64]) {
        let ConePool { laws, values, .. } = self;
        values.set_velocities(problem, island, v);
        for i in points(problem, island) {
            values.impulse[i] = laws[i].impulse(&values.vc[i]);
        }
    }

    /// Cost at `alpha` along the direction whose rates were set.
    pub fn cost_along(&self, problem: &Problem, island: &Island, alpha: f64) -> f64 {
        points(problem, island).map(|i| self.laws[i].cost(&(self.values.vc[i] + self.values.uc[i] * alpha))).sum()
    }

    /// Slope and curvature at `alpha` along that direction.
    fn derivatives(&self, problem: &Problem, island: &Island, alpha: f64) -> (f64, f64) {
        let one = |i: usize| self.laws[i].along(&(self.values.vc[i] + self.values.uc[i] * alpha), &self.values.uc[i]);
        points(problem, island).map(one).fold((0.0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
    }
}

impl Potential for ConePool {
    fn copy(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }

    fn kind(&self) -> u64 {
        1
    }

    fn set_step(&mut self, problem: &Problem) {
        match self.options.precision.weights {
            Digits::Double => set_laws(problem, &self.options, &mut self.double, &mut self.laws),
            Digits::Single => set_laws(problem, &self.options, &mut self.single, &mut self.laws),
        }
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

    /// Uses the velocities that were set.
    fn cost(&self, problem: &Problem, island: &Island, _: &[f64]) -> f64 {
        points(problem, island).map(|i| self.laws[i].cost(&self.values.vc[i])).sum()
    }

    /// Uses the impulses in the pool.
    fn add_gradient(&self, problem: &Problem, island: &Island, _: &[f64], gradient: &mut [f64]) {
        self.values.add_gradient(problem, island, gradient);
    }

    /// Uses the Hessians in the pool.
    fn add_hessian(&self, problem: &Problem, island: &Island, _: &[f64], h: &mut HessianBlocks<'_>) {
        self.values.add_hessian(problem, island, h);
    }

    /// Uses the line whose rates were set.
    fn add_along(&self, problem: &Problem, island: &Island, _: &[f64], _: &[f64], alpha: f64, sum: &mut AlongLine) {
        let own = self.derivatives(problem, island, alpha);
        (sum.slope, sum.curvature) = (sum.slope + own.0, sum.curvature + own.1);
    }

    /// Uses the velocities that were set.
    fn note_pieces(&self, problem: &Problem, island: &Island, _: &[f64], note: &mut Note<'_>) {
        for &p in &island.patches {
            for i in problem.contacts.patches[p].points.clone() {
                let piece = match self.laws[i].region(&self.values.vc[i]) {
                    Region::None => 0,
                    Region::Stick => 1,
                    Region::Slide => 2,
                };
                problem
                    .cliques_of(p)
                    .for_each(|clique| note(clique, problem.contacts.points[i].key, Pieces::throughout(piece)));
            }
        }
    }

    /// Uses the velocities that were set.
    fn is_touching(&self, problem: &Problem, island: &Island, _: &[f64]) -> bool {
        points(problem, island).any(|i| self.laws[i].region(&self.values.vc[i]) != Region::None)
    }

    /// Uses the impulses in the pool.
    fn impulse_norms(&self, problem: &Problem, island: &Island, _: &[f64]) -> f64 {
        points(problem, island)
            .map(|i| self.values.impulse[i].norm() * problem.contacts.points[i].start.mobility.sqrt())
            .sum()
    }

    fn write(&self, problem: &Problem, v: &[f64], solution: &mut Solution) {
        solution.pairs.clear();
        for patch in &problem.contacts.patches {
            let [a, b] = [patch.body_a, patch.body_b].map(|body| problem.body_velocity(body, v));
            solution.pairs.extend(patch.points.clone().map(|i| {
                let pair = &problem.contacts.points[i];
                let velocity = pair.velocity_between(&a, &b) + pair.bias_velocity;
                ContactImpulse { impulse: self.laws[i].impulse(&velocity), velocity }
            }));
        }
    }
}
