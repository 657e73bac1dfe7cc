//! Free motion of the whole diagram, in steps of its own.
//!
//! Where nothing touches and nothing is stiff, step doubling lets an explicit method take the step
//! ([`OneStep::coast`]), which is of the fifth order and needs no convex problem. Its steps have a control of their
//! own, and are taken where they can be at least about as long as the convex step would be.

use super::step_control::Accepted;
use super::{DOPRI5, OneStep, Step, StepControl, StepDoubling, StepMemory, end_of_step};
use crate::diagram::State;

/// Steps of free motion are held to this part of the accuracy: at their order that costs little, and errors grow on the
/// way to the end.
const PART: f64 = 1e-4;
/// What rounding leaves of an error estimate.
const ROUNDING: f64 = 1e-13;
/// A step of free motion is worth its while down to this part of the convex one: it costs less than half as much.
const WORTH: f64 = 0.25;
/// After free motion was tried in vain, the step wanted of it is too short by this factor, and grows by `PATIENCE` with
/// every convex step: it is tried again after seven of them.
const REST: f64 = 3.5;
const PATIENCE: f64 = 1.2;

/// What is remembered of free motion from step to step: the step wanted next \[s\]; length \[s\] and error of the last
/// step that error control chose.
pub type CoastingMemory = (Option<f64>, Option<(f64, f64)>);

/// Control of the steps of free motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coasting {
    control: StepControl,
}

impl Coasting {
    /// Beside convex steps under `control`.
    pub fn new(mut control: StepControl) -> Self {
        control.reset();
        control.order = DOPRI5.estimate_order;
        control.accuracy = (PART * control.accuracy).max(ROUNDING.min(control.accuracy));
        Coasting { control }
    }

    pub fn memory(&self) -> CoastingMemory {
        let StepMemory { wanted, last, .. } = self.control.memory();
        (wanted, last)
    }

    pub fn recall(&mut self, memory: &CoastingMemory) {
        let (wanted, last) = *memory;
        self.control.recall(&StepMemory { wanted, last, ..StepMemory::default() });
    }

    /// A convex step of length `h` was accepted.
    pub fn rested(&mut self, h: f64) {
        self.control.stretch(PATIENCE, h);
    }
}

impl<M: OneStep> StepDoubling<M> {
    /// Takes a step of free motion of the whole diagram, if it can be about as long as the convex step that would be
    /// attempted with `convex_room` \[s\] to go. `room` is what is left to the limit.
    pub(super) fn coast(&mut self, state: &mut State, room: f64, limit: f64, convex_room: f64) -> Option<Step> {
        let least = { self.control }.first_attempt(convex_room);
        let wanted = self.coasting.control.first_attempt(room);
        if wanted < WORTH * least {
            return None;
        }
        let StepDoubling { method, start, end: next, statistics, .. } = self;
        // A fault is met again, and dealt with, by the convex step.
        start.prepare(method, state, least, statistics).ok()?;
        let clear = method.free_room(&mut start.point, wanted.max(least));
        if clear < least {
            return None;
        }
        let mut control = self.coasting.control;
        control.worthwhile = WORTH * least;
        let room_now = if clear < wanted { clear } else { room };
        let found = control.search(state.time, room_now, statistics, |h, statistics| {
            method.coast(&start.point, (h, end_of_step(state.time, h, room, limit).0), next, statistics)
        });
        let Ok(Accepted { h, error }) = found else {
            self.coasting.control.want(WORTH * least / REST);
            return None;
        };
        control.worthwhile = 0.0;
        self.coasting.control = control;
        self.statistics.accept(h, !control.was_cut());
        self.transitions.coasted(h / least);
        let (end, reached) = end_of_step(state.time, h, room, limit);
        self.method.record_coasting(state, (h, end), &mut self.dense);
        state.continuous.copy_from_slice(&self.end.continuous);
        state.time = end;
        self.method.accept_coasting(h, state);
        Some(if reached { Step::ReachedLimit { h, error } } else { Step::Accepted { h, error } })
    }
}
