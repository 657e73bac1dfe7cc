//! Stage one: the velocities v* of motion without contact, stops and limited efforts.
//!
//! ```text
//! A v* = r,   v* = v0 + A^-1 (r - A v0)
//! ```
//!
//! The momenta of stage two are `A v*`, so that it does not restore the digits that stage one loses in single
//! precision.

use super::inertia::InertiaFactors;
use super::options::Digits;
use crate::inertia_groups::Groups;
use kinegraph_convex::contact::{Island, Problem};
use kinegraph_convex::linear_algebra::RealScalar;

/// Free motion of all islands, one at a time; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeMotion {
    /// v*.
    pub velocity: Vec<f64>,
    /// `A v*`.
    pub momentum: Vec<f64>,
    double: InertiaFactors<f64>,
    single: InertiaFactors<f32>,
    groups: Groups,
    acting: Vec<bool>,
    local: Vec<f64>,
}

impl FreeMotion {
    /// Factors the inertia of `problem` for its step length.
    pub fn set_step(&mut self, problem: &Problem, digits: Digits) {
        match digits {
            Digits::Double => self.double.factor(problem),
            Digits::Single => self.single.factor(problem),
        }
        self.velocity.resize(problem.size(), 0.0);
        self.momentum.resize(problem.size(), 0.0);
    }

    /// Computes v* on an island; returns `false` if its inertia is not positive definite.
    pub fn solve(&mut self, problem: &Problem, island: &Island, digits: Digits) -> bool {
        let FreeMotion { velocity, momentum, double, single, groups, acting, local } = self;
        // Change of the momenta within the step.
        for &c in &island.cliques {
            let range = problem.velocities_of(c);
            momentum[range.clone()].iter_mut().zip(&problem.step_terms.momentum[range]).for_each(|(m, r)| *m = -r);
        }
        problem.add_product(island, problem.start_velocity(), momentum);
        for &c in &island.cliques {
            let range = problem.velocities_of(c);
            velocity[range.clone()].iter_mut().zip(&momentum[range]).for_each(|(v, m)| *v = -m);
        }
        if island.feedback.is_empty() {
            for &c in &island.cliques {
                let change = &mut velocity[problem.velocities_of(c)];
                let solved = match digits {
                    Digits::Double => {
                        double.is_definite(c) && {
                            double.solve(problem, c, change);
                            true
                        }
                    }
                    Digits::Single => {
                        single.is_definite(c) && {
                            single.solve(problem, c, change);
                            true
                        }
                    }
                };
                if !solved {
                    return false;
                }
            }
        } else {
            // Feedback couples cliques, and need not be symmetric.
            acting.clear();
            let blocks = island.feedback.iter().map(|&f| &problem.feedback[f]);
            acting.extend(blocks.flat_map(|block| block.limited_rows().map(|_| false)));
            groups.enter(problem, island);
            groups.factor(problem, island, acting);
            for group in 0..groups.all().len() {
                local.clear();
                local.extend(groups.all()[group].velocities.iter().map(|&v| velocity[v]));
                groups.solve(group, local);
                for (&v, x) in groups.all()[group].velocities.iter().zip(local.iter()) {
                    velocity[v] = *x;
                }
            }
        }
        let round = |x: f64| if digits == Digits::Single { <f32 as RealScalar>::nearest(x).value() } else { x };
        let v0 = problem.start_velocity();
        for i in island.cliques.iter().flat_map(|&c| problem.velocities_of(c)) {
            velocity[i] = round(round(v0[i]) + round(velocity[i]));
            momentum[i] = 0.0;
        }
        match digits {
            Digits::Double => {
                let velocities = island.cliques.iter().flat_map(|&c| problem.velocities_of(c));
                velocities.for_each(|i| momentum[i] = problem.step_terms.momentum[i]);
            }
            Digits::Single => problem.add_product(island, velocity, momentum),
        }
        true
    }
}
