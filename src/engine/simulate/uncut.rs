//! The end of a run is no part of its trajectory.
//!
//! A run that ends at a time cuts its last step there. A run that is saved and resumed continues bit for bit as if it
//! had not ended: with its end, a snapshot has the state at the last step that the end does not affect. A resumed run
//! takes the few steps from there again, without the end, and reports from the time of the snapshot on.

use super::exact::Exact;
use super::plausibility::Judged;
use super::run_error::RunError;
use super::{Simulation, Snapshot, SnapshotError};
use crate::integrators::{Step, StepMemory};
use kinegraph_diagram::State;
use serde::{Deserialize, Serialize};

/// Number of longest steps before its end within which the end of a run affects its steps: one that would go beyond it,
/// and the one before, which looks as far ahead as the next one may go.
const BEARING: f64 = 3.0;

/// State of a run before its end affects its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Uncut {
    /// Time \[s\].
    time: Exact,
    /// True if the events of the start time have fired.
    started: bool,
    /// The states, in the order of the snapshot.
    continuous: Vec<Exact>,
    discrete: Vec<Exact>,
    memory: StepMemory,
    crossings: (Exact, u64),
    judged: Option<Box<Judged>>,
}

impl Simulation {
    /// Takes a step of a run to `end`, and saves the state of the run once that is near.
    pub(super) fn step_of_run(&mut self, end: f64) -> Result<Step, RunError> {
        if self.uncut.is_none() && end - self.time() <= BEARING * self.longest_step() {
            self.start()?;
            let snapshot = self.snapshot();
            let exact = |values: &[f64]| values.iter().map(|&value| value.into()).collect();
            self.uncut = Some(Box::new(Uncut {
                time: snapshot.time.into(),
                started: snapshot.started,
                continuous: exact(&self.state().continuous),
                discrete: exact(&self.state().discrete),
                memory: snapshot.memory,
                crossings: snapshot.crossings,
                judged: snapshot.judged,
            }));
        }
        self.step(end)
    }

    /// Longest step \[s\]; not-a-number of an integrator of a program's own.
    fn longest_step(&self) -> f64 {
        let options = self.plan().options();
        options.map_or(f64::NAN, |options| options.step.map_or(options.max_step, |step| step.max(options.max_step)))
    }

    /// Snapshot from which a run that was observed to its end continues as if it had not ended there.
    pub(super) fn snapshot_of_run(&self) -> Snapshot {
        let is_before = |uncut: &Uncut| f64::from(uncut.time) < self.time();
        Snapshot { uncut: self.uncut.clone().filter(|uncut| is_before(uncut)), ..self.snapshot() }
    }

    /// Continues the run of which `snapshot` is the end, as if it had not ended there: the next observed run takes its
    /// steps, to the last bit, and reports from the time of the snapshot on. In a diagram that has changed since, and
    /// with another integrator, it starts from the end itself. Returns the differences.
    ///
    /// # Errors
    /// A snapshot of another diagram. The simulation is then as it was.
    pub fn resume_changed(&mut self, snapshot: &Snapshot) -> Result<Vec<String>, SnapshotError> {
        let changes = self.restore_changed(snapshot)?;
        let own = self.integrator().name();
        let Some(uncut) = snapshot.uncut.as_ref().filter(|_| changes.is_empty() && snapshot.integrator == own) else {
            return Ok(changes);
        };
        let number = |value: &Exact| f64::from(*value);
        let state = State {
            time: number(&uncut.time),
            continuous: uncut.continuous.iter().map(number).collect(),
            discrete: uncut.discrete.iter().map(number).collect(),
            started: uncut.started,
        };
        let fits = state.time >= 0.0 && state.time < snapshot.time && state.continuous.iter().all(|x| x.is_finite());
        if !fits || self.set_state(state).is_err() {
            return Ok(changes);
        }
        self.world.was_judged(uncut.judged.clone());
        self.world.integrator.recall(&uncut.memory);
        self.world.crossings = (uncut.crossings.0.into(), uncut.crossings.1 as usize);
        self.reports_from = Some(snapshot.time);
        Ok(changes)
    }
}
