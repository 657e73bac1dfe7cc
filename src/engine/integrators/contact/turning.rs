//! Turning of contact geometry within steps: see `contact/turning.rs`.

use super::build::{self, Sought};
use super::improve::Improvement;
use super::parts::{FullStep, ThreeParts};
use super::point::StepPoint;
use super::spins;
use super::step::{ContactStep, Scratch};
use super::third::THIRD_ORDER;
use super::turned_geometry::Turning;
use crate::choices::turning::DIFFERENCE_STEP_RATIO;
use crate::integrators::{Candidate, KeptDepth, Statistics};
use nalgebra::Vector3;

impl ContactStep {
    /// True if contact geometry turns in steps from `point`.
    fn turns(&self, point: &StepPoint) -> bool {
        self.plan.options.turns && point.belts.is_empty() && point.problem.may_turn()
    }

    /// Evaluates bodies and contacts at `ahead`, the time `after` \[s\] from `point`, into `soon`: contacts that touch,
    /// or may within the time `reach` \[s\].
    fn look_ahead_from(&mut self, point: &StepPoint, after: f64, reach: f64, statistics: &mut Statistics) {
        let ContactStep { external, plan, scratch: Scratch { ahead, .. }, turning: Turning { soon, .. }, .. } = self;
        soon.switches.clone_from(&point.switches);
        soon.problem.settings.scales = plan.scales.of_laws();
        let (discretization, watch) = (&plan.options.discretization, &mut statistics.watch);
        build::gather(external, ahead, Sought::Within(reach), 0.0, discretization, soon, watch);
        build::fill(external, point.state.time + after, ahead, discretization, soon, watch);
        statistics.geometry_queries += 1;
    }

    /// Finds how fast the geometry of the contacts of `point` turns.
    pub(super) fn find_turning(&mut self, point: &mut StepPoint, statistics: &mut Statistics) {
        if !self.turns(point) {
            return;
        }
        let ContactStep { external, plan, scratch, turning: Turning { soon, later, .. }, .. } = self;
        let Scratch { ahead, rates, .. } = scratch;
        let after = DIFFERENCE_STEP_RATIO * plan.options.max_step;
        let (layout, diagram) = (external.layout(), external.diagram());
        let (state, v0) = (&point.state, point.problem.start_velocity());
        ahead.clone_from(&state.continuous);
        layout.advance_positions(diagram, &state.continuous, v0, after, ahead, rates);
        spins::keep_centres(external, &point.problem, v0, ahead);
        let (discretization, watch) = (&plan.options.discretization, &mut statistics.watch);
        build::find_points(external, ahead, discretization, &mut soon.plants, later, watch);
        statistics.geometry_queries += 1;
        point.problem.take_turning(later, after, plan.options.tuning.wander);
    }

    /// Carries the depths at the end of the last step from `from` into `to`, which was prepared there, and finds how
    /// fast geometry turns from there.
    pub(super) fn carry_depths(&mut self, from: &StepPoint, to: &mut StepPoint, statistics: &mut Statistics) {
        if self.turns(from) {
            to.problem.carry_depths(&from.problem, &from.solution);
            self.find_turning(to, statistics);
            to.problem.carry_loads(&from.problem);
        }
    }

    /// Moves bodies whose contact turns along its normal, at the kept `end` of a step, to the depth that the law
    /// predicts there, where the same point touches throughout the step. Bodies that the law has parted are moved out
    /// of contact. `three`: the third solution, if that is kept.
    pub(super) fn keep_depths(
        &mut self,
        step: &FullStep<'_>,
        half: &Candidate,
        end: &mut Candidate,
        three: Option<&ThreeParts<'_>>,
        statistics: &mut Statistics,
    ) {
        let &FullStep { start, h, .. } = step;
        if start.problem.contacts.points.iter().all(|pair| pair.turning == Vector3::zeros()) {
            return;
        }
        let depths = &mut self.improvement.decided.depths;
        depths.resize(start.problem.contacts.points.len(), KeptDepth::default());
        self.scratch.ahead.clone_from(&end.continuous);
        self.look_ahead_from(start, h, h, statistics);
        let ContactStep { plan, turning: Turning { soon, .. }, improvement, .. } = self;
        for (i, pair) in start.problem.contacts.points.iter().enumerate() {
            if pair.turning == Vector3::zeros() {
                continue;
            }
            let clique_of = |body: usize| start.problem.trees.bodies[body].clique;
            let (clique, sign) = match (clique_of(pair.body_b), clique_of(pair.body_a)) {
                (Some(clique), _) => (clique, 1.0),
                (None, Some(clique)) => (clique, -1.0),
                (None, None) => continue,
            };
            let mut bases = plan.movers.rotations.iter();
            let base = bases.find(|rotation| rotation.clique == clique && rotation.base.is_some());
            let (Some(base), Some(found)) = (base, soon.problem.same_point(pair, i)) else { continue };
            let forced = improvement.forced.as_ref().map(|forced| forced.depths.get(i).copied().unwrap_or_default());
            let kept = match forced {
                Some(kept) => kept,
                // Another corner stays where it is.
                None if start.problem.runs(pair, found, h, plan.options.tuning.wander) => KeptDepth::Found,
                None => improvement.choose_depth(step, half, end, three, (clique, i), found.depth),
            };
            improvement.decided.depths[i] = kept;
            if let Some(depth) = foreseen_depth(step, end, three, i, kept) {
                let place = &mut end.continuous[base.at + 4..base.at + 7];
                let shift = found.normal * (sign * (found.depth - depth));
                place.iter_mut().zip(&shift).for_each(|(place, shift)| *place += shift);
            }
        }
    }
}

impl Improvement {
    /// Chooses the depth of contact point `i`, of `clique`, at the kept end of a step, where the state has the depth
    /// `found`: it stays where the motion is refined, or the point touches at the end and not throughout the step.
    fn choose_depth(
        &self,
        step: &FullStep<'_>,
        half: &Candidate,
        end: &Candidate,
        three: Option<&ThreeParts<'_>>,
        (clique, i): (usize, usize),
        found: f64,
    ) -> KeptDepth {
        let smooth = self.smooth[clique] && !self.turning[clique];
        if smooth && self.refines && self.resolved[clique] {
            return KeptDepth::Found;
        }
        let &FullStep { start, middle, h, solution } = step;
        let pair = &start.problem.contacts.points[i];
        let full = start.problem.depth_after(pair, i, h, &solution.velocity);
        let halves = foreseen_depth(step, end, three, i, KeptDepth::Halves);
        let (Some(full), Some(halves)) = (full, halves) else { return KeptDepth::Found };
        // Both show that the contact has ended, or the law alone.
        let ended = if found <= 0.0 { KeptDepth::Found } else { KeptDepth::Apart };
        if halves <= 0.0 {
            return ended;
        }
        let first = start.problem.depth_after(pair, i, 0.5 * h, &half.velocity);
        let in_middle = middle.problem.same_point(pair, i).map(|point| point.depth);
        if [Some(full), first, in_middle].iter().any(|depth| depth.is_none_or(|depth| depth <= 0.0)) {
            return KeptDepth::Found;
        }
        let kept = match three {
            Some(_) if self.third.lasting[clique] => KeptDepth::Thirds,
            _ if smooth => KeptDepth::Extrapolated,
            _ => KeptDepth::Halves,
        };
        match foreseen_depth(step, end, three, i, kept) {
            None => KeptDepth::Found,
            Some(depth) if depth <= 0.0 => ended,
            Some(_) => kept,
        }
    }
}

/// Depth \[m\] of contact point `i` at the end of a step by a choice, negative for a gap; `None` where it stays.
fn foreseen_depth(
    step: &FullStep<'_>,
    end: &Candidate,
    three: Option<&ThreeParts<'_>>,
    i: usize,
    kept: KeptDepth,
) -> Option<f64> {
    let &FullStep { start, middle, h, solution } = step;
    let pair = &start.problem.contacts.points[i];
    let full = || start.problem.depth_after(pair, i, h, &solution.velocity);
    let halves = || middle.problem.depth_after(pair, i, 0.5 * h, &end.velocity);
    match kept {
        KeptDepth::Found => None,
        KeptDepth::Apart => Some(0.0),
        KeptDepth::Halves => halves(),
        KeptDepth::Extrapolated => Some(2.0 * halves()? - full()?),
        KeptDepth::Thirds => {
            let three = three?;
            let thirds = three.last.problem.depth_after(pair, i, h / 3.0, &three.ends[2].velocity)?;
            Some(THIRD_ORDER[0] * full()? + THIRD_ORDER[1] * halves()? + THIRD_ORDER[2] * thirds)
        }
    }
}
