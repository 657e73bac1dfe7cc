//! The contact step where the motion is smooth: half steps that are extrapolated and refined.

use super::combine::{Ends, correct_middle};
use super::improve::Improvement;
use super::options::StepOptions;
use super::parts::{FirstDifference, FullStep, ThreeParts};
use super::point::StepPoint;
use super::step::ContactStep;
use crate::integrators::rule::{Rule, RuleSwitches};
use crate::integrators::{Candidate, Statistics};
use kinegraph_convex::contact::Lasting;

impl ContactStep {
    /// True if steps from `point` are to be improved at any accuracy: those that are short to follow an oscillation,
    /// and those in which constraints or joints guide bodies on which nothing stiff acts.
    pub(in crate::integrators) fn follows(&self, point: &StepPoint) -> bool {
        // A method of first order loses motion along constraints and momentum of linkages, whatever the accuracy.
        let is_led = point.problem.has_rigid_rows() || point.problem.has_linkages();
        point.bounds.follows || (is_led && !self.external.reacts())
    }

    /// Distance \[accuracies of 1\] by errors of velocity that friction causes in two half steps, to `half` and to
    /// `end`, since it lags behind the normal force. Called after [`first_difference`](Self::first_difference).
    pub(in crate::integrators) fn friction_lag(&self, full: &FullStep<'_>, half: &Candidate, end: &Candidate) -> f64 {
        let StepOptions { tuning, max_step, .. } = &self.plan.options;
        let &FullStep { start, middle, solution, .. } = full;
        let found = [&*solution.velocity, &half.velocity, &end.velocity];
        let lag = middle.problem.friction_lag(&start.problem, found, &self.improvement.smooth, tuning.wander);
        tuning.onset_horizon * max_step * lag / self.plan.scales.length(1.0)
    }

    /// Finds the parts that move smoothly in the full step and in the half steps to `half` and `end`, and their
    /// difference: elsewhere, and where contact lasts and a third solution may be kept. Called before
    /// [`improve`](Self::improve), right after the second half step.
    pub(in crate::integrators) fn first_difference(
        &mut self,
        full: &FullStep<'_>,
        half: &Candidate,
        end: &Candidate,
        on: RuleSwitches,
    ) -> FirstDifference {
        let ContactStep { improvement, plan, external, .. } = self;
        improvement.survey(plan, external, full, half, end, on);
        let (third, full, end) = (&improvement.third, &full.solution.continuous, &end.continuous);
        if !third.lasting.contains(&true) {
            return FirstDifference { elsewhere: plan.norm.distance(full, end), lasting: None };
        }
        let elsewhere = plan.norm.distance_of(full, end, |i| !third.moves(plan, i));
        let lasting = plan.norm.distance_of(full, end, |i| third.moves(plan, i));
        FirstDifference { elsewhere, lasting: Some(lasting) }
    }

    /// Where the full step and the two half steps, to `half` and to `end`, were smooth together, replaces the end by
    /// the extrapolation `2 end - full`, which is accurate to the next order, or something better. The middle is
    /// corrected likewise: its error is half of that of the end. Returns the largest change beyond extrapolation, an
    /// error estimate of its own, and the error of the third solution of `three` parts, where that is kept. `on`: the
    /// rules that are on.
    pub(in crate::integrators) fn improve(
        &mut self,
        full: &FullStep<'_>,
        half: &mut Candidate,
        end: &mut Candidate,
        three: Option<ThreeParts<'_>>,
        on: RuleSwitches,
        statistics: &mut Statistics,
    ) -> (f64, Option<(f64, usize)>) {
        let ContactStep { improvement, plan, .. } = self;
        let &FullStep { start, middle, h, solution } = full;
        // Where bodies break loose, an error of their velocity stays, and counts by what it makes of positions while it
        // lasts.
        let broken_loose = if on.has(Rule::FrictionOnset) {
            let tuning = &plan.options.tuning;
            let horizon = tuning.onset_horizon * plan.options.max_step;
            let lasting = Lasting { horizon, part: tuning.steady, wander: tuning.wander };
            start.problem.breaking_loose(&middle.problem, h, lasting, &solution.velocity, &end.velocity)
        } else {
            0.0
        };
        let Improvement { smooth, turning, combination, refines, .. } = improvement;
        let extrapolated = |clique: usize| smooth[clique] && !turning[clique];
        let all = (0..smooth.len()).all(extrapolated);
        if on.has(Rule::Extrapolation) {
            let full = &solution.continuous;
            correct_middle(&plan.movers, full, &end.continuous, &mut half.continuous, all, extrapolated);
            let ends = Ends { others: &[(-1.0, full)], finest: 2.0 };
            let touches = |clique: usize| end.regimes[clique].pieces != 0;
            combination.combine(&plan.movers, &ends, &mut end.continuous, all, extrapolated, touches);
        }
        let refined = if *refines { self.refine(full, half, end, statistics) } else { 0.0 };
        let change = refined.max(broken_loose / self.plan.scales.length(1.0));
        let third = three.as_ref().and_then(|three| self.keep_third(solution, three, end));
        if on.has(Rule::Extrapolation) {
            self.keep_depths(full, half, end, three.as_ref().filter(|_| third.is_some()), statistics);
        }
        (change, third)
    }
}
