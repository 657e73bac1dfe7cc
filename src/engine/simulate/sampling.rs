//! Samples read off the steps of a run.

use super::acting::StepSeen;
use super::sample_times::SampleTimes;
use super::world::World;
use kinegraph_core::port::simultaneous;
use kinegraph_diagram::State;

/// The samples of a run: which come next, and the state that they are read into.
pub(super) struct Sampling {
    times: SampleTimes,
    next: u64,
    at: State,
}

impl Sampling {
    /// Samples at every multiple of `every` from where `world` is, which is not among them; or from where it was
    /// `resumed`, ahead of that, which is.
    pub fn new(world: &World, resumed: Option<f64>, every: f64) -> Self {
        let times = SampleTimes::new(resumed.unwrap_or(world.state.time), every);
        Sampling { times, next: u64::from(resumed.is_none()), at: world.state.clone() }
    }

    /// Samples at `times`, which ascend from where `world` is; the first is not among them. Or from where it was
    /// `resumed`, ahead of that; the first is among them.
    pub fn listed(world: &World, resumed: Option<f64>, times: &[f64]) -> Self {
        Sampling { times: SampleTimes::listed(times), next: u64::from(resumed.is_none()), at: world.state.clone() }
    }

    /// Before a step: inside it the discrete state is that of its start, except for what plants report of the step
    /// itself.
    pub fn hold(&mut self, world: &World) {
        self.at.discrete.clone_from(&world.state.discrete);
        // Another diagram may have another state.
        self.at.continuous.resize(world.state.continuous.len(), 0.0);
    }

    /// After a step: all samples up to its end, but for the one at `t`, where the run ends.
    pub fn read<E>(
        &mut self,
        world: &World,
        t: f64,
        mut sample: impl FnMut(&State, StepSeen<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for (block, _) in world.diagram().plants() {
            self.at.discrete[block.discrete.clone()].copy_from_slice(&world.state.discrete[block.discrete.clone()]);
        }
        let now = world.state.time;
        while self.times.at(self.next) < now - simultaneous(now) {
            self.at.time = self.times.at(self.next);
            world.integrator.dense().evaluate(self.at.time, &mut self.at.continuous);
            sample(&self.at, world.seen())?;
            self.next += 1;
        }
        let time = self.times.at(self.next);
        if time <= now + simultaneous(now) {
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
}
