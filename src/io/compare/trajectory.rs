//! Trajectory of a run, and its budget of wall time.

use kinegraph_engine::simulate::{Observer, Sample};
use std::io;
use std::time::{Duration, Instant};

/// The continuous state at the sampled times of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Times \[s\].
    pub times: Vec<f64>,
    /// Continuous state at each time.
    pub states: Vec<Vec<f64>>,
}

/// Observer that stores the trajectory of a run, and ends the run when its budget is spent.
pub(super) struct Follow {
    pub trajectory: Trajectory,
    started: Instant,
    budget: Duration,
}

impl Follow {
    pub fn new(budget: Duration) -> Self {
        Follow { trajectory: Trajectory::default(), started: Instant::now(), budget }
    }
}

impl Observer for Follow {
    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        self.trajectory.times.push(sample.time());
        self.trajectory.states.push(sample.state().continuous.clone());
        Ok(())
    }

    fn wants_end(&self) -> Option<String> {
        let spent = self.started.elapsed() > self.budget;
        spent.then(|| format!("not done within {} s", self.budget.as_secs_f64()))
    }
}
