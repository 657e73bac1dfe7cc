//! The motion within a step, for observers that look between samples.

use super::acting::StepSeen;
use super::sample::Sampler;
use super::world::World;
use kinegraph_core::port::simultaneous;
use kinegraph_diagram::State;

/// The motion within a step, by the dense output of the step. Reading it changes nothing.
pub struct StepMotion<'a> {
    /// State that is read, with the discrete state of the start of the step.
    at: &'a mut State,
    after: &'a State,
    seen: StepSeen<'a>,
    times: (f64, f64),
}

impl<'a> StepMotion<'a> {
    /// The motion since `before`, the state at the start of the step; `at` is memory.
    pub(super) fn of_step(world: &'a World, before: &State, at: &'a mut State) -> Self {
        at.clone_from(before);
        // What plants report of the step itself.
        for (block, _) in world.diagram().plants() {
            at.discrete[block.discrete.clone()].copy_from_slice(&world.state.discrete[block.discrete.clone()]);
        }
        let (from, now, dense) = (before.time, world.state.time, world.integrator().dense());
        // An event may come at once, without a step.
        let stepped = dense.times.0 >= from - simultaneous(from) && dense.times.1 > dense.times.0 && now > from;
        let to = if stepped { dense.times.1.min(now) } else { from };
        StepMotion { at, after: &world.state, seen: world.seen(), times: (from, to) }
    }

    /// The start or the end of a run, as a step of no length.
    pub(super) fn of_point(world: &'a World, at: &'a mut State) -> Self {
        at.clone_from(&world.state);
        let time = world.state.time;
        StepMotion { at, after: &world.state, seen: world.seen(), times: (time, time) }
    }

    /// Start and end of the step \[s\].
    pub fn times(&self) -> (f64, f64) {
        self.times
    }

    /// Values of the channels of `sampler` at `time` within the step, before the events at its end.
    pub fn values<'s>(&mut self, sampler: &'s mut Sampler, time: f64) -> &'s [f64] {
        let (from, to) = self.times;
        if to > from
            && let Some(dense) = self.seen.dense
        {
            self.at.time = time;
            dense.evaluate(time, &mut self.at.continuous);
        }
        sampler.values_of(self.at, &self.seen)
    }

    /// Values of the channels of `sampler` after the events at the end of the step.
    pub fn values_after<'s>(&self, sampler: &'s mut Sampler) -> &'s [f64] {
        sampler.values_of(self.after, &self.seen)
    }
}
