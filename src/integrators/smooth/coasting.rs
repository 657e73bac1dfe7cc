//! Control of the steps of free motion.
//!
//! Where nothing touches and nothing is stiff, step doubling lets an explicit method take the step
//! ([`SmoothMotion::coast`]), which is of the fifth order and needs no convex problem. Its steps have a control of
//! their own, and are taken where they can be at least about as long as the convex step would be.

use super::SmoothMotion;
use crate::diagram::State;
use crate::integrators::limit::end_of_step;
use crate::integrators::search::Accepted;
use crate::integrators::step_control::ControlMemory;
use crate::integrators::{Attempt, Candidate, Outcome, Statistics, StepControl};

/// Steps of free motion are held to this part of the accuracy: at their order that costs little, and errors grow on the
/// way to the end.
const PART: f64 = 1e-4;
/// What rounding leaves of an error estimate.
const ROUNDING: f64 = 1e-13;
/// The shortest step of free motion that is attempted, as a part of the convex one: it costs less than half as much.
const SHORTEST: f64 = 0.25;
/// The same where constraints or joint stops bind it, whose error the convex step has a hard time with.
const SHORTEST_BOUND: f64 = 1.0 / 16.0;
/// A step is repeated so many times at most to end where a stop is met.
const MOST_REPEATED: usize = 12;
/// After free motion was tried in vain, the step wanted of it is too short by this factor, and grows by `RETRY_GROWTH`
/// with every convex step: it is tried again after seven of them.
const RETRY_DELAY: f64 = 3.5;
const RETRY_GROWTH: f64 = 1.2;
/// Beyond this much of a rate within a step its length may be a matter of stability. The convex step has no such bound,
/// and how long it may be shows only where it is tried: free motion then takes steps that are no shorter, and with each
/// the convex step is presumed to be longer by `RETRY_GROWTH`, until it is tried.
const STIFF: f64 = 1.0;
/// The method of Dormand and Prince is stable up to this much of a rate within a step.
const STABLE: f64 = 3.0;

/// Control of the steps of free motion.
#[derive(Clone, Copy, Debug)]
pub(in crate::integrators) struct Coasting {
    control: StepControl,
}

/// How long a step of free motion is to be.
#[derive(Clone, Copy, Debug)]
pub(in crate::integrators) struct Lengths {
    /// The length of the convex step that it would take the place of \[s\].
    pub convex: f64,
    /// The length wanted \[s\].
    wanted: f64,
    /// The shortest one that is worth an attempt \[s\].
    shortest: f64,
    /// Whether constraints or joint stops take part.
    bound: bool,
}

/// A step of free motion that was accepted.
pub(in crate::integrators) struct Coasted {
    pub accepted: Accepted,
    /// Whether stability may have decided about its length.
    pub stiff: bool,
}

impl Coasted {
    /// Notes it in the control of the convex step, which would have been one of length `convex`.
    pub fn note(&self, control: &mut StepControl, convex: f64) {
        if self.stiff {
            control.presume(RETRY_GROWTH * convex, self.accepted.h);
        }
    }
}

impl Coasting {
    /// Beside convex steps under `control`, for an error estimate of this `order`.
    pub fn new(control: &StepControl, order: i32) -> Self {
        let mut control = *control;
        control.recall(ControlMemory::default());
        control.order = order;
        control.accuracy = (PART * control.accuracy).max(ROUNDING.min(control.accuracy));
        Coasting { control }
    }

    /// What is remembered from step to step.
    pub fn memory(&self) -> ControlMemory {
        self.control.memory()
    }

    /// Remembers what [`memory`](Self::memory) told.
    pub fn recall(&mut self, memory: ControlMemory) {
        self.control.recall(memory);
    }

    /// A convex step of length `h` was accepted.
    pub fn convex_step_taken(&mut self, h: f64) {
        self.control.stretch(RETRY_GROWTH, h);
    }

    /// The lengths of the next step in place of a convex one of length `convex` \[s\], to be compared with another
    /// length, with `remaining` \[s\] to the limit; `None` if it would be too short to be worth an attempt. `bound`:
    /// constraints or joint stops take part.
    pub fn lengths(&mut self, (convex, compared): (f64, f64), remaining: f64, bound: bool) -> Option<Lengths> {
        let wanted = self.control.first_attempt(remaining);
        let shortest = compared * if bound { SHORTEST_BOUND } else { SHORTEST };
        if wanted < shortest { None } else { Some(Lengths { convex, wanted, shortest, bound }) }
    }

    /// Attempts steps of free motion of the whole diagram from `state`, where `point` is, until one is accepted that is
    /// about as long as the convex one: leaves its end in `next`. `times`: what is left to the limit, and the limit
    /// \[s\].
    #[allow(clippy::too_many_arguments)]
    pub fn search<P>(
        &mut self,
        motion: &mut dyn SmoothMotion<Point = P>,
        point: &P,
        state: &State,
        lengths: Lengths,
        (remaining, limit): (f64, f64),
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Option<Coasted> {
        let Lengths { convex, wanted, shortest, bound } = lengths;
        let least = if bound { shortest } else { convex };
        let rate = motion.fastest_rate(point, STIFF / wanted.max(convex));
        let (stable, stiff) = (STABLE / rate, wanted * rate > STIFF);
        if stiff && wanted.min(stable) < least {
            return None;
        }
        let free = motion.free_time(point, wanted.max(convex));
        if free < least {
            return None;
        }
        let free = free.min(stable);
        let mut control = self.control;
        control.worthwhile = shortest;
        let longest = if free < wanted { free } else { remaining };
        let found = control.search(state.time, longest, statistics, |h, statistics| {
            motion.coast(point, (h, end_of_step(state.time, h, remaining, limit).0), next, statistics)
        });
        let Ok(mut accepted) = found else {
            self.control.want(shortest / RETRY_DELAY);
            return None;
        };
        let met = accepted.h;
        for _ in 0..MOST_REPEATED {
            let Some(h) = motion.ends_early(point, accepted.h, next) else { break };
            statistics.rejected_steps += 1;
            statistics.attempts.repeat_last(Outcome::Transition);
            let times = (h, end_of_step(state.time, h, remaining, limit).0);
            let (error, worst) = motion.coast(point, times, next, statistics).ok()?;
            if error > control.accuracy || times.1 <= state.time {
                return None;
            }
            statistics.attempts.push(Attempt {
                time: state.time,
                h,
                outcome: Outcome::Accepted,
                error: Some(error),
                worst: Some(worst),
                solver_iterations: 0,
            });
            accepted = Accepted { h, error, chosen: false };
        }
        if accepted.h < met {
            control.discard(&self.control, met);
        }
        control.worthwhile = 0.0;
        self.control = control;
        statistics.accept(accepted.h, accepted.chosen);
        Some(Coasted { accepted, stiff })
    }
}
