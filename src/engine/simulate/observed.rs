//! Runs with observers.

use super::observer::{Observer, RunStart, StepReport};
use super::simulation::Advance;
use super::{RunError, Sampler, Simulation, SnapshotError};
use crate::integrators::NonFinite;
use kinegraph_diagram::{Block, Channel, Diagram, State};
use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;

/// Reason why an observed run stopped before its end.
#[derive(thiserror::Error)]
pub enum ObservedRunError {
    /// The run itself cannot continue.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An observer cannot keep its data.
    #[error("recording failed: {0}")]
    Recording(#[from] io::Error),
    /// An observer cannot keep the end of the run.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// An observer [wanted the end](Observer::wants_end). Everything up to there was reported.
    #[error("stopped at t = {time} s: {reason}")]
    Stopped {
        /// Time \[s\].
        time: f64,
        /// Reason.
        reason: String,
    },
    /// A session that was recorded cannot be run again.
    #[error("the session cannot be run again: {0}")]
    Replay(String),
    /// The run stopped, and an observer could not keep its data either.
    #[error("{first}; {then}")]
    Also {
        /// Reason why the run stopped.
        first: Box<ObservedRunError>,
        /// Failure of the observer.
        then: Box<ObservedRunError>,
    },
}

kinegraph_core::debug_is_message!(ObservedRunError);

/// Combines the outcome of a run and of the actions after it.
fn both(run: Result<(), ObservedRunError>, then: Result<(), ObservedRunError>) -> Result<(), ObservedRunError> {
    match (run, then) {
        (Err(first), Err(then)) => Err(ObservedRunError::Also { first: Box::new(first), then: Box::new(then) }),
        (run, then) => run.and(then),
    }
}

impl Simulation {
    /// Advances to `t` \[s\] and reports all of it to `observer`: samples as in
    /// [`advance_sampling`](Self::advance_sampling), with the values of `channels`, and every step. Observation does
    /// not change the run.
    ///
    /// ```
    /// use kinegraph::simulate::{Observer, Sample, Scenario};
    ///
    /// /// Follows the height of the ball.
    /// struct Heights(Vec<f64>);
    /// impl Observer for Heights {
    ///     fn sample(&mut self, sample: &mut Sample<'_>) -> std::io::Result<()> {
    ///         self.0.push(sample.poses(0)[1].xyz[2]);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// let mut simulation = Scenario::open("examples/clutter/clutter.yaml")?.simulation()?;
    /// let mut heights = Heights(Vec::new());
    /// simulation.advance_observing(0.1, 0.01, &[], &mut heights)?;
    /// assert_eq!(heights.0.len(), 11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the run and of the observer, to which the end is reported all the same.
    pub fn advance_observing(
        &mut self,
        t: f64,
        every: f64,
        channels: &[Channel],
        observer: &mut dyn Observer,
    ) -> Result<(), ObservedRunError> {
        let run = self.observe(t, every, channels, observer);
        self.end_observed(run, observer)
    }

    /// Notifies the observer that the run has ended, in any way.
    pub(super) fn end_observed(
        &self,
        run: Result<(), ObservedRunError>,
        observer: &mut dyn Observer,
    ) -> Result<(), ObservedRunError> {
        let run = run.map_err(|error| match error {
            ObservedRunError::Run(interrupted @ RunError::Interrupted { time }) => {
                let reason = observer.wants_end().unwrap_or_else(|| interrupted.to_string());
                ObservedRunError::Stopped { time, reason }
            }
            error => error,
        });
        let lost = self.lost_bodies();
        if !lost.is_empty() {
            observer.lost(&lost);
        }
        let saved = observer.stopped(&self.snapshot_of_run()).map_err(Into::into);
        let kept = observer.end().map_err(Into::into);
        both(both(run, saved), kept)
    }

    /// Notifies the observer that a run to `end` begins.
    pub(super) fn begin_observed(
        &mut self,
        end: f64,
        every: f64,
        channels: &[Channel],
        observer: &mut dyn Observer,
    ) -> Result<(), ObservedRunError> {
        if let Some(interrupt) = observer.interrupt() {
            self.world.integrator.statistics_mut().watch.interrupt_by(interrupt);
        }
        let options = self.plan().options();
        let integrator = options.map_or("", |options| options.integrator.name);
        let accuracy = options.filter(|options| options.error_controlled()).map(|options| options.accuracy);
        let (diagram, time) = (self.diagram(), self.reports_from.unwrap_or(self.time()));
        Ok(observer.begin(&RunStart { diagram, channels, time, end, every, integrator, accuracy })?)
    }

    fn observe(
        &mut self,
        t: f64,
        every: f64,
        channels: &[Channel],
        observer: &mut dyn Observer,
    ) -> Result<(), ObservedRunError> {
        self.begin_observed(t, every, channels, observer)?;
        self.uncut = None;
        if observer.wants_attempts() {
            self.keep_attempts();
        }
        let stops = self.plan().non_finite() == NonFinite::Stop;
        let wants_samples = observer.wants_samples();
        let wants_motion = observer.wants_motion();
        if !(wants_samples || wants_motion || stops && needs_samples(self.diagram(), channels)) {
            while self.time() < t || t.is_nan() {
                let stepped = self.step_of_run(t);
                observer.step(&report(self))?;
                stepped?;
                wish(observer, self.time(), t)?;
            }
            return Ok(());
        }
        // A run fails or not independently of its observers.
        let diagram = self.diagram();
        let mut sampler = if stops { Sampler::watching(diagram, channels) } else { Sampler::new(diagram, channels) };
        let mut wished = Ok(());
        let mut check = Check::new(self.state());
        self.advance_reporting(t, every, |advance| {
            match advance {
                Advance::Step(simulation) => {
                    check.stepped(simulation.state());
                    observer.step(&report(simulation))?;
                    wished = wish(observer, simulation.time(), t);
                }
                Advance::Motion(mut motion) if wants_motion => observer.motion(&mut motion)?,
                Advance::Motion(_) => {}
                Advance::Sample(state, seen) => {
                    let all = stops && check.is_due(&mut sampler, state.time, t);
                    let mut sample = sampler.sample_step(state, seen);
                    if stops {
                        sample.check(all)?;
                    }
                    if wants_samples {
                        observer.sample(&mut sample)?;
                    }
                }
            }
            Ok(if wished.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })
        .and(wished)
    }
}

/// Samples of a run that are checked for outputs that nobody recorded: those of a step at whose end an output is not
/// finite, and the last of all. A step may have many samples, and values that are not finite inside it are so, as a
/// rule, at its end.
pub(super) struct Check {
    /// End of the last step.
    end: State,
    /// Result of its check, once made.
    seen: Option<Outputs>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outputs {
    Finite,
    NotFinite,
}

impl Check {
    /// Checks of a run that begins at `state`.
    pub(super) fn new(state: &State) -> Self {
        Check { end: state.clone(), seen: None }
    }

    /// Notes that a step ended at `state`, or that the state was changed.
    pub(super) fn stepped(&mut self, state: &State) {
        self.end.clone_from(state);
        self.seen = None;
    }

    /// True if the sample at `time` of a run to `end` is to be checked in full.
    pub(super) fn is_due(&mut self, sampler: &mut Sampler, time: f64, end: f64) -> bool {
        let look = || if sampler.is_finite_at(&self.end) { Outputs::Finite } else { Outputs::NotFinite };
        *self.seen.get_or_insert_with(look) == Outputs::NotFinite || time >= end
    }
}

/// True if a sample has numbers that are no states: states are finite in any case.
fn needs_samples(diagram: &Diagram, channels: &[Channel]) -> bool {
    let is_block = |block: &Block| block.system.as_plant().is_none() && !block.outputs.is_empty();
    if diagram.blocks().iter().any(is_block) {
        return true;
    }
    let states: HashSet<String> = diagram.state_names().into_iter().collect();
    channels.iter().any(|channel| !states.contains(&channel.name))
}

/// Returns an error where the observer wants the run to end at `time`, before its end.
pub(super) fn wish(observer: &dyn Observer, time: f64, end: f64) -> Result<(), ObservedRunError> {
    match observer.wants_end() {
        Some(reason) if time < end => Err(ObservedRunError::Stopped { time, reason }),
        _ => Ok(()),
    }
}

pub(super) fn report(simulation: &Simulation) -> StepReport<'_> {
    let integrator = simulation.integrator();
    StepReport {
        time: simulation.time(),
        attempts: simulation.attempts(),
        norm: integrator.error_norm(),
        records: integrator.records(),
    }
}
