//! Samples interpolated from the steps of a run.

use super::acting::StepSeen;
use super::sample_times::SampleTimes;
use super::world::World;
use kinegraph_core::port::simultaneous;
use kinegraph_diagram::State;

/// Samples of a run: the next ones, and the state that they are read into.
pub(super) struct Sampling {
    times: SampleTimes,
    next: u64,
    at: State,
    /// Time \[s\] from which there are two samples at each event, just before it and after it; infinite: nowhere.
    events_from: f64,
}

impl Sampling {
    /// Samples at every multiple of `every` from the present time of `world`, which is not among them; or from the
    /// earlier time `resumed`, which is.
    pub fn new(world: &World, resumed: Option<f64>, every: f64) -> Self {
        let times = SampleTimes::new(resumed.unwrap_or(world.state.time), every);
        let (next, at) = (u64::from(resumed.is_none()), world.state.clone());
        Sampling { times, next, at, events_from: f64::INFINITY }
    }

    /// If `events`, takes two samples at each event after the first time as well.
    pub fn with_events(self, events: bool) -> Self {
        Sampling { events_from: if events { self.times.at(0) } else { f64::INFINITY }, ..self }
    }

    /// Samples at `times`, which ascend from the present time of `world`; the first is not among them. Or from the
    /// earlier time `resumed`; then the first is among them.
    pub fn listed(world: &World, resumed: Option<f64>, times: &[f64]) -> Self {
        let (next, at) = (u64::from(resumed.is_none()), world.state.clone());
        Sampling { times: SampleTimes::listed(times), next, at, events_from: f64::INFINITY }
    }

    /// Prepares for a step: inside it the discrete state is that of its start, except for reports of plants on the step
    /// itself.
    pub fn hold(&mut self, world: &World) {
        self.at.discrete.clone_from(&world.state.discrete);
        // Another diagram may have another state. An event may come at once, without a step.
        self.at.continuous.clone_from(&world.state.continuous);
        self.at.time = world.state.time;
    }

    /// After a step: takes all samples up to its end, but for the one at `t`, where the run ends.
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
                // The two times are the same but for rounding: that of the sample is reported.
                self.at.clone_from(&world.state);
                self.at.time = time;
                sample(&self.at, world.seen())?;
            }
            self.next += 1;
        }
        Ok(())
    }

    /// Sets the state just before the event at which the last step ended, or which no step led to.
    fn go_before_event(&mut self, world: &World, from: f64) {
        let (now, dense) = (world.state.time, world.integrator.dense());
        self.at.time = from;
        if dense.times.0 == from && dense.times.1 > from {
            self.at.time = dense.times.1.min(now - simultaneous(now)).max(from);
            dense.evaluate(self.at.time, &mut self.at.continuous);
        }
    }
}
