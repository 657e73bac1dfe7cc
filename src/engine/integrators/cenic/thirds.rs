//! A step in three parts, and the choice between the second and the third order.
//!
//! Per unit of time the third order takes `6/h3` solves and the second `3/h2`, and failed attempts cost more: the third
//! order pays with steps of three times the length. The possible length of its steps is known from the last attempt
//! with three parts. Without such an attempt it is presumed from accepted steps: where contact has lasted over a step,
//! the third order is presumed to reach as far, and farther step by step. Contact that begins or ends presumes nothing,
//! and costs no attempt.

use crate::choices::untried::PRESUMED_GROWTH;
use crate::integrators::contact::parts::{FirstDifference, ThreeParts};
use crate::integrators::contact::{ContactStep, StepPoint};
use crate::integrators::memory::ThirdMemory;
use crate::integrators::search::Estimate;
use crate::integrators::tuning::CenicTuning;
use crate::integrators::{Candidate, OneStep, Statistics, StepControl, StepFailure, ToSolve};
use kinegraph_diagram::State;

/// Three parts of the last attempt that had them, and the memory of the third order.
#[derive(Clone, Debug, Default)]
pub struct Thirds {
    ends: [Candidate; 3],
    points: [StepPoint; 2],
    state: State,
    pub memory: ThirdMemory,
    /// Memory after the last attempt, if it is accepted, and the step wanted then.
    next: ThirdMemory,
    wanted: Option<Wanted>,
}

/// The step to want next \[s\].
#[derive(Clone, Copy, Debug)]
enum Wanted {
    AtLeast(f64),
    Exactly(f64),
}

impl Thirds {
    /// True if the third order is presumed to be accurate over a step of length `h`.
    pub fn reaches(&self, h: f64) -> bool {
        self.memory.reach.is_some_and(|reach| h <= reach)
    }

    /// Solves the three parts of a step from `state`, where `start` is prepared. The ends of both half steps, `half`
    /// and `end`, serve as guesses.
    pub fn solve(
        &mut self,
        method: &mut ContactStep,
        start: &mut StepPoint,
        state: &State,
        solving: ToSolve,
        [half, end]: [&Candidate; 2],
        statistics: &mut Statistics,
    ) -> Result<(), StepFailure> {
        let Thirds { ends: [first, second, third], points: [one, two], state: between, .. } = self;
        let ToSolve { h, tolerance } = solving;
        let part = h / 3.0;
        between.discrete.clone_from(&state.discrete);
        guess(start.problem.start_velocity(), &half.velocity, 2.0 / 3.0, half, first);
        method.step(start, part, tolerance, first, statistics)?;
        between.time = state.time + part;
        between.continuous.clone_from(&first.continuous);
        method.prepare_within(between, part, [start; 2], one, statistics)?;
        guess(&half.velocity, &end.velocity, 1.0 / 3.0, half, second);
        method.step(one, part, tolerance, second, statistics)?;
        between.time = state.time + 2.0 * part;
        between.continuous.clone_from(&second.continuous);
        method.prepare_within(between, part, [start, one], two, statistics)?;
        guess(&half.velocity, &end.velocity, 1.0, end, third);
        method.step(two, part, tolerance, third, statistics)
    }

    /// The three parts, beside the end of the half steps as it was solved.
    pub(super) fn parts<'a>(&'a self, halves: &'a [f64]) -> ThreeParts<'a> {
        ThreeParts { ends: &self.ends, halves, last: &self.points[1] }
    }

    /// Estimate of an attempt of length `h`. `first`: the difference of full step and half steps. `change`: the change
    /// of smooth motion by its improvement. `third`: the error of the third solution, if that is kept.
    pub fn judge(
        &mut self,
        h: f64,
        accuracy: f64,
        first: FirstDifference,
        change: f64,
        third: Option<(f64, usize)>,
        tuning: &CenicTuning,
    ) -> Estimate {
        let elsewhere = (first.elsewhere.0.max(change), first.elsewhere.1);
        let worse = first.lasting.filter(|lasting| lasting.0 > elsewhere.0 || lasting.0.is_nan());
        let second = worse.unwrap_or(elsewhere);
        let longest = tuning.max_growth * h;
        let second_order = h * (accuracy / second.0).sqrt();
        self.wanted = None;
        let Some(third) = third.filter(|third| !third.0.is_nan()) else {
            if second.0 > accuracy {
                // The step is too long, and no third solution helps: the reach is to be presumed anew.
                self.memory.reach = self.memory.reach.map(|reach| reach.min(second_order));
            }
            let longer = self.memory.reach.map_or(h, |reach| (PRESUMED_GROWTH * reach).clamp(h, longest));
            self.next = ThirdMemory { reach: first.lasting.map(|_| longer) };
            let wanted = tuning.safety * longer;
            if first.lasting.is_some() && wanted >= tuning.third_pays * second_order.max(h) {
                self.wanted = Some(Wanted::AtLeast(wanted));
            }
            return second.into();
        };
        let third_order = h * (accuracy / third.0).cbrt();
        self.memory.reach = Some(third_order.min(longest));
        self.next = self.memory;
        let of_third = Estimate { order: Some(3), ..Estimate::from(third) };
        let pays = third_order >= tuning.third_pays * second_order;
        if third.0 > accuracy {
            return if pays { of_third } else { second.into() };
        }
        if !pays {
            self.wanted = Some(Wanted::Exactly(tuning.safety * second_order));
        }
        let others = h * (accuracy / elsewhere.0).sqrt();
        if others < third_order { elsewhere.into() } else { of_third }
    }

    /// Accepts the last attempt: updates the memory and the step wanted next.
    pub fn accept(&mut self, control: &mut StepControl) {
        self.memory = self.next;
        let longest = control.max_step;
        match self.wanted.filter(|_| !control.was_cut()) {
            Some(Wanted::AtLeast(h)) => control.presume(h.min(longest), f64::INFINITY),
            Some(Wanted::Exactly(h)) => control.want(h.min(longest)),
            None => {}
        }
    }
}

/// Guesses the solution of a part: the velocity at `part` of the way from `a` to `b`, with the forces of `like`.
fn guess(a: &[f64], b: &[f64], part: f64, like: &Candidate, solution: &mut Candidate) {
    solution.velocity.clear();
    solution.velocity.extend(a.iter().zip(b).map(|(a, b)| a + part * (b - a)));
    solution.forces.clone_from(&like.forces);
}
