//! Control of the steps of free motion.
//!
//! Where nothing touches and nothing is stiff, an explicit method takes the step ([`ContactStep::step_freely`]) in
//! place of the convex ones: it is of the fifth order and needs no convex problem. Its steps have a control of their
//! own, and are taken where they can be at least about as long as the convex step would be.

use crate::choices::free_motion::{MAX_REPEATS, STABLE};
use crate::choices::untried::PRESUMED_GROWTH;
use crate::integrators::contact::{ContactStep, StepPoint};
use crate::integrators::limit::Goal;
use crate::integrators::rule::Rule;
use crate::integrators::search::{Accepted, Estimate};
use crate::integrators::step_control::ControlMemory;
use crate::integrators::tuning::CenicTuning;
use crate::integrators::{Attempt, Candidate, DORMAND_PRINCE, Outcome, Statistics, StepControl, StepSpan};

/// Smallest error that an error estimate can show, for rounding.
const ROUNDING: f64 = 1e-13; // rounding

/// Control of the steps of free motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeMotionSteps {
    pub control: StepControl,
    tuning: CenicTuning,
}

/// Lengths of a step of free motion: wanted, shortest, and of the convex step beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    /// Length of the convex step that it would replace \[s\].
    pub convex: f64,
    /// Wanted length \[s\].
    wanted: f64,
    /// Shortest length that is worth an attempt \[s\].
    shortest: f64,
    /// True if constraints or joint stops take part.
    bound: bool,
    /// Limit at which it has to end.
    goal: Goal,
}

/// A step of free motion that was accepted.
pub(super) struct FreeStep {
    pub accepted: Accepted,
    /// True if stability may have bounded its length.
    pub stiff: bool,
}

impl FreeMotionSteps {
    /// Control of free motion beside convex steps under `control`.
    pub fn new(control: &StepControl, tuning: &CenicTuning) -> Self {
        let mut control = *control;
        control.recall(ControlMemory::default());
        control.order = DORMAND_PRINCE.estimate_order;
        control.accuracy = (tuning.free_accuracy * control.accuracy).max(ROUNDING.min(control.accuracy));
        FreeMotionSteps { control, tuning: *tuning }
    }

    /// Reports a step of free motion to the control of the convex step, which would have had the length `convex`, and
    /// could be up to `possible` \[s\] long as far as the motion shows.
    pub fn note(&self, step: &FreeStep, control: &mut StepControl, convex: f64, possible: f64) {
        if step.stiff {
            control.presume(PRESUMED_GROWTH * convex, step.accepted.h.max(possible));
        }
    }

    /// Returns the lengths of the next step in place of a convex one of length `convex` \[s\], towards `goal`; `None`
    /// if it would be too short, against the length `compared`, to be worth an attempt. `bound`: constraints or joint
    /// stops take part.
    pub fn lengths(&mut self, convex: f64, compared: f64, goal: Goal, bound: bool) -> Option<Lengths> {
        let wanted = self.control.first_attempt(goal.remaining);
        let shortest = compared * self.tuning.free_shortest;
        if wanted < shortest { None } else { Some(Lengths { convex, wanted, shortest, bound, goal }) }
    }

    /// Attempts steps of free motion of the whole diagram from `state`, at `point`, until one is accepted that is about
    /// as long as the convex one. Leaves its end in `next`.
    pub fn search(
        &mut self,
        motion: &mut ContactStep,
        point: &StepPoint,
        time: f64,
        lengths: Lengths,
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Option<FreeStep> {
        let tuning = self.tuning;
        let Lengths { convex, wanted, shortest, bound, goal } = lengths;
        let rate = motion.fastest_rate(point, tuning.stiff / wanted.max(convex));
        let (stable, stiff) = (STABLE / rate, wanted * rate > tuning.stiff);
        let least = match (bound, stiff) {
            (true, _) => shortest,
            (false, true) => convex,
            // The clearance that bodies keep shortens it by the slack.
            (false, false) => convex / tuning.slack.powi(2),
        };
        if stiff && wanted.min(stable) < least {
            return None;
        }
        // Only the next bodies are looked at first; those farther away only if the free time suffices.
        if motion.free_time(point, least) < least {
            return None;
        }
        let free = motion.free_time(point, wanted.max(convex));
        if free < least {
            return None;
        }
        let free = free.min(stable);
        let mut control = self.control;
        control.worthwhile = shortest;
        let longest = if free < wanted { free } else { goal.remaining };
        let accuracy = control.accuracy;
        let mut errs = false;
        let found = control.search(time, longest, statistics, |h, statistics| {
            let span = StepSpan { h, end: goal.end_of_step(time, h).0 };
            let (error, worst) = motion.step_freely(point, span, accuracy, next, statistics)?;
            errs |= error.is_nan() || error > accuracy;
            Ok(Estimate::from((error, worst)))
        });
        let Ok(mut accepted) = found else {
            self.control.want(shortest / PRESUMED_GROWTH);
            return None;
        };
        let met = accepted.h;
        for _ in 0..MAX_REPEATS {
            let Some(h) = motion.ends_early(point, accepted.h, next) else { break };
            statistics.rejected_steps += 1;
            statistics.attempts.repeat_last(Outcome::Transition, Rule::FreeMotion);
            let span = StepSpan { h, end: goal.end_of_step(time, h).0 };
            let (error, worst) = motion.step_freely(point, span, control.accuracy, next, statistics).ok()?;
            if error > control.accuracy || span.end <= time {
                return None;
            }
            statistics.attempts.push(Attempt {
                time,
                h,
                outcome: Outcome::Accepted,
                error: Some(error),
                worst: Some(worst),
                rule: None,
                solver_iterations: 0,
            });
            accepted = Accepted { h, error, chosen: false };
        }
        if accepted.h < met {
            control.discard(&self.control, met);
        }
        control.worthwhile = 0.0;
        if !errs && !stiff {
            // The end of free motion says nothing about the length of the next free step.
            control.limit(|h| h.max(wanted));
        }
        self.control = control;
        statistics.accept(accepted.h, accepted.chosen);
        Some(FreeStep { accepted, stiff })
    }
}
