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
use crate::integrators::{Candidate, Statistics, StepControl};

/// Steps of free motion are held to this part of the accuracy: at their order that costs little, and errors grow on the
/// way to the end.
const PART: f64 = 1e-4;
/// What rounding leaves of an error estimate.
const ROUNDING: f64 = 1e-13;
/// The shortest step of free motion that is attempted, as a part of the convex one: it costs less than half as much.
const SHORTEST: f64 = 0.25;
/// After free motion was tried in vain, the step wanted of it is too short by this factor, and grows by `RETRY_GROWTH`
/// with every convex step: it is tried again after seven of them.
const RETRY_DELAY: f64 = 3.5;
const RETRY_GROWTH: f64 = 1.2;

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

    /// The lengths of the next step in place of a convex one of length `convex` \[s\], with `remaining` \[s\] to the
    /// limit; `None` if it would be too short to be worth an attempt.
    pub fn lengths(&mut self, convex: f64, remaining: f64) -> Option<Lengths> {
        let wanted = self.control.first_attempt(remaining);
        if wanted < SHORTEST * convex { None } else { Some(Lengths { convex, wanted }) }
    }

    /// Attempts steps of free motion of the whole diagram from `state`, where `point` is, until one is accepted that is
    /// about as long as the convex one: leaves its end in `next`. `times`: what is left to the limit, and the limit
    /// \[s\].
    #[allow(clippy::too_many_arguments)]
    pub fn search<P>(
        &mut self,
        motion: &mut dyn SmoothMotion<Point = P>,
        point: &mut P,
        state: &State,
        lengths: Lengths,
        (remaining, limit): (f64, f64),
        next: &mut Candidate,
        statistics: &mut Statistics,
    ) -> Option<Accepted> {
        let Lengths { convex, wanted } = lengths;
        let free = motion.free_time(point, wanted.max(convex));
        if free < convex {
            return None;
        }
        let mut control = self.control;
        control.worthwhile = SHORTEST * convex;
        let longest = if free < wanted { free } else { remaining };
        let found = control.search(state.time, longest, statistics, |h, statistics| {
            motion.coast(point, (h, end_of_step(state.time, h, remaining, limit).0), next, statistics)
        });
        let Ok(accepted) = found else {
            self.control.want(SHORTEST * convex / RETRY_DELAY);
            return None;
        };
        control.worthwhile = 0.0;
        self.control = control;
        statistics.accept(accepted.h, accepted.chosen);
        Some(accepted)
    }
}
