//! Extrapolation of the smooth parts of a step, and refinement of those that nothing stiff acts on.
//!
//! A part of the motion (of a clique) is smooth where the same contacts, stops and friction regimes act in the full
//! step and in both half steps; extrapolating it gains an order. Where nothing acts on it, or contacts that are soft
//! against the step, it is an ordinary differential equation: [`Refinement`] follows it more closely still.

use super::bounds::fastest_rate;
use super::combine::Combination;
use super::parts::FullStep;
use super::plan::StepPlan;
use super::point::StepPoint;
use super::refine::Refinement;
use super::resolved::{Later, resolves};
use super::third::ThirdSolution;
use crate::integrators::rule::{Rule, RuleSwitches};
use crate::integrators::{Candidate, Smoothness, acted};
use crate::linearize::{External, Feedback};
use kinegraph_convex::linear_algebra::Cholesky;

/// Factor up to which an effort counts as within its limit.
const LIMIT_ROUNDING: f64 = 1.0 + 1e-9; // rounding

/// The improvement of steps; keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Improvement {
    pub(super) refinement: Refinement,
    pub(super) correction: Vec<f64>,
    pub(super) disturbed: Vec<bool>,
    /// For each clique, whether its motion was smooth, and whether it turns so fast within constraints that only
    /// refinement follows it.
    pub(super) smooth: Vec<bool>,
    pub(super) turning: Vec<bool>,
    /// For each clique, true if anything acts at the end of the step on it, or on bodies that touch it.
    pub(super) acted_on: Vec<bool>,
    /// For each clique, true if its contacts are soft against the step.
    pub(super) resolved: Vec<bool>,
    pub(super) sums: Vec<f64>,
    /// Limits of efforts, per velocity of all plants.
    pub(super) limits: Vec<f64>,
    /// Entries of the state that are not refined.
    pub(super) others: Vec<usize>,
    pub(super) factor: Cholesky,
    pub(super) combination: Combination,
    /// True if any clique is refined.
    pub(super) refines: bool,
    pub(super) third: ThirdSolution,
    /// Decisions of the last attempt, and those that the next one takes over.
    pub(super) decided: Smoothness,
    pub(super) forced: Option<Smoothness>,
}

impl Improvement {
    /// Finds the cliques that move smoothly in the step, and those that are refined or may have a third solution.
    pub fn survey(
        &mut self,
        plan: &StepPlan,
        external: &External,
        step: &FullStep<'_>,
        half: &Candidate,
        end: &Candidate,
        on: RuleSwitches,
    ) {
        let &FullStep { start, h, solution: full, .. } = step;
        if self.limits.is_empty() && !end.efforts.is_empty() {
            self.limits.extend(external.effort_limits());
        }
        self.find_smooth(start, h, full, half, end);
        self.refines = on.has(Rule::Refinement) && self.find_refined(plan, external, step, half, end);
        self.find_lasting(&start.problem, full, half, end, on);
        self.decide();
    }

    /// Notes what was found, or takes over what another attempt has found.
    fn decide(&mut self) {
        let Improvement { smooth, turning, acted_on, resolved, refines, third, decided, forced, .. } = self;
        let lasting = &mut third.lasting;
        if let Some(forced) = forced {
            let lists = [smooth, turning, acted_on, resolved, lasting];
            let from = [&forced.smooth, &forced.turning, &forced.acted_on, &forced.resolved, &forced.lasting];
            lists.into_iter().zip(from).for_each(|(list, from)| list.clone_from(from));
            *refines = forced.refines;
            return;
        }
        let lists = [&mut decided.smooth, &mut decided.turning, &mut decided.acted_on, &mut decided.resolved];
        let from = [smooth, turning, acted_on, resolved];
        lists.into_iter().zip(from).for_each(|(list, from)| list.clone_from(from));
        decided.lasting.clone_from(lasting);
        (decided.refines, decided.third) = (*refines, false);
        decided.refined.clear();
        decided.depths.clear();
    }

    /// Finds the cliques that move smoothly: with the same elements throughout the step, by the law that is
    /// extrapolated.
    fn find_smooth(&mut self, point: &StepPoint, h: f64, full: &Candidate, half: &Candidate, end: &Candidate) {
        // The correction of positions is h times the difference of mean velocities.
        let velocities = half.velocity.iter().zip(&end.velocity).zip(&full.velocity);
        self.correction.clear();
        self.correction.extend(velocities.map(|((v1, v2), v)| 0.5 * (v1 + v2) - v));
        point.problem.disturbed(&self.correction, h, &mut self.disturbed, &mut self.turning);
        let (f, h1, e, rough) = (&full.regimes, &half.regimes, &end.regimes, &self.disturbed);
        let struck = |c: usize| f[c].struck || h1[c].struck || e[c].struck;
        let smooth = |c: usize| f[c].pieces == h1[c].pieces && h1[c].pieces == e[c].pieces && !struck(c) && !rough[c];
        self.smooth.clear();
        self.smooth.extend((0..f.len()).map(smooth));
        self.keep_within_limits(point, full, half, end);
        self.acted_on.clear();
        self.acted_on.extend(e.iter().map(|regime| regime.pieces != 0));
        for island in point.problem.islands() {
            let all = island.cliques.iter().all(|&c| self.smooth[c]);
            island.cliques.iter().for_each(|&c| self.smooth[c] = all);
            let any = island.cliques.iter().any(|&c| self.acted_on[c]);
            island.cliques.iter().for_each(|&c| self.acted_on[c] = any);
        }
    }

    /// Excludes motion that is not smooth because an effort reaches its limit within a step: where the extrapolated
    /// mean over a half would exceed the limit, no effort makes that motion.
    fn keep_within_limits(&mut self, point: &StepPoint, full: &Candidate, half: &Candidate, end: &Candidate) {
        let Improvement { smooth, limits, .. } = self;
        let efforts = [&full.efforts, &half.efforts, &end.efforts];
        if limits.is_empty() || efforts.iter().any(|efforts| efforts.len() != limits.len()) {
            return;
        }
        let [f, a, b] = efforts;
        let exceeds = |v: usize| {
            let mut halves = ([a[v]], [b[v]]);
            acted(&f[v..=v], (&mut halves.0, &mut halves.1), true);
            halves.0[0].abs().max(halves.1[0].abs()) > LIMIT_ROUNDING * limits[v]
        };
        for (clique, smooth) in smooth.iter_mut().enumerate().filter(|(_, smooth)| **smooth) {
            *smooth = !point.problem.velocities_of(clique).any(exceeds);
        }
    }

    /// Reports whether anything moves smoothly, and freely or in soft contact, and nothing is stiff.
    fn find_refined(
        &mut self,
        plan: &StepPlan,
        external: &External,
        step: &FullStep<'_>,
        half: &Candidate,
        end: &Candidate,
    ) -> bool {
        let &FullStep { start: point, middle, h, .. } = step;
        let (reacts, tuning) = (external.reacts(), &plan.options.tuning);
        if reacts && plan.options.feedback == Feedback::Explicit {
            return false;
        }
        let Improvement { smooth, acted_on, resolved, sums, factor, .. } = self;
        let cliques = smooth.len();
        // The rates have no forces of stops.
        let free = |c: usize, resolved: &[bool]| smooth[c] && !end.regimes[c].stopped && (!acted_on[c] || resolved[c]);
        resolved.clear();
        resolved.resize(cliques, true);
        let wander = tuning.wander;
        let later = Later { problem: &middle.problem, dt: 0.5 * h, wander };
        resolves(&point.problem, h, &half.velocity, later, point.bounds.follows, resolved);
        // Corrections of positions are no part of the motion.
        for group in point.off_groups(&plan.scales) {
            let islands = point.problem.islands().iter().filter(|island| island.rows.contains(&group));
            islands.flat_map(|island| &island.cliques).for_each(|&c| resolved[c] = false);
        }
        let all = (0..cliques).all(|c| free(c, resolved));
        (if reacts { all } else { (0..cliques).any(|c| free(c, resolved)) })
            && point.problem.stiffness_ratio() <= tuning.stiff
            && h * fastest_rate(&point.linear.external.z, sums) <= tuning.stiff
            && point.problem.is_soft(h, tuning.stiff, factor)
    }
}
