//! Samples interpolated from the steps of a run.

use super::acting::StepSeen;
use super::sample_times::SampleTimes;
use super::step_motion::StepMotion;
use super::world::World;
use kinegraph_core::port::simultaneous;
use kinegraph_diagram::State;

/// Samples of a run: their times, the number of the next one, and the state into which samples are read.
pub(super) struct Sampling {
    times: SampleTimes,
    next: u64,
    at: State,
    /// Memory of those who look inside steps.
    inside: Option<State>,
    /// Time \[s\] after which each event has two samples, one just before it and one after it; infinite if none has.
    events_from: f64,
}

impl Sampling {
    /// Creates samples every `every` seconds. They count from the present time of `world`, which is no sample itself;
    /// or from the earlier time `resumed`, which is.
    pub fn new(world: &World, resumed: Option<f64>, every: f64) -> Self {
        let times = SampleTimes::new(resumed.unwrap_or(world.state.time), every);
        let (next, at) = (u64::from(resumed.is_none()), world.state.clone());
        Sampling { times, next, at, inside: None, events_from: f64::INFINITY }
    }

    /// If `events`, also takes two samples at each event after the time from which samples count.
    pub fn with_events(self, events: bool) -> Self {
        Sampling { events_from: if events { self.times.at(0) } else { f64::INFINITY }, ..self }
    }

    /// Creates samples at `times`, in ascending order. The first is the present time of `world`, and no sample; or it
    /// is the earlier time `resumed`, and a sample.
    pub fn listed(world: &World, resumed: Option<f64>, times: &[f64]) -> Self {
        let (next, at) = (u64::from(resumed.is_none()), world.state.clone());
        let times = SampleTimes::listed(times);
        Sampling { times, next, at, inside: None, events_from: f64::INFINITY }
    }

    /// Prepares for a step. Samples inside it have the discrete state of its start, except for what plants report of
    /// the step itself.
    pub fn hold(&mut self, world: &World) {
        self.at.discrete.clone_from(&world.state.discrete);
        // After a change of the diagram the state may be another. An event may come at once, without a step.
        self.at.continuous.clone_from(&world.state.continuous);
        self.at.time = world.state.time;
    }

    /// The motion within the step that was taken, of which no sample was read yet.
    pub fn motion<'a>(&'a mut self, world: &'a World) -> StepMotion<'a> {
        let inside = self.inside.get_or_insert_with(|| world.state.clone());
        StepMotion::of_step(world, &self.at, inside)
    }

    /// The start of a run, or its end after the events there.
    pub fn point<'a>(&'a mut self, world: &'a World) -> StepMotion<'a> {
        StepMotion::of_point(world, self.inside.get_or_insert_with(|| world.state.clone()))
    }

    /// Takes all samples up to the end of a step, except one at `t`, where the run ends.
    pub fn read<E>(
        &mut self,
        world: &World,
        t: f64,
        mut sample: impl FnMut(&State, StepSeen<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for (block, _) in world.diagram().plants() {
            self.at.discrete[block.discrete.clone()].copy_from_slice(&world.state.discrete[block.discrete.clone()]);
        }
        let (from, now) = (self.at.time, world.state.time);
        while self.times.at(self.next) < now - simultaneous(now) {
            self.at.time = self.times.at(self.next);
            world.integrator.dense().evaluate(self.at.time, &mut self.at.continuous);
            sample(&self.at, world.seen())?;
            self.next += 1;
        }
        let time = self.times.at(self.next);
        let is_due = time <= now + simultaneous(now);
        if now > self.events_from && world.jumped() {
            self.go_before_event(world, from);
            let reported = if is_due && now < t { time } else { now };
            sample(&self.at, StepSeen { reported: Some(reported), ..world.seen() })?;
            if !is_due && now < t {
                sample(&world.state, world.seen())?;
            }
        }
        if is_due {
            if now < t {
                // The times of the sample and of the end of the step differ by rounding alone; that of the sample is
                // reported.
                self.at.clone_from(&world.state);
                self.at.time = time;
                sample(&self.at, world.seen())?;
            }
            self.next += 1;
        }
        Ok(())
    }

    /// Sets the sampled state to that just before an event: at the end of the step that began at `from`, or at `from`
    /// if no step led to the event.
    fn go_before_event(&mut self, world: &World, from: f64) {
        let (now, dense) = (world.state.time, world.integrator.dense());
        self.at.time = from;
        if dense.times.0 == from && dense.times.1 > from {
            self.at.time = dense.times.1.min(now - simultaneous(now)).max(from);
            dense.evaluate(self.at.time, &mut self.at.continuous);
        }
    }
}
