//! Observers of a run: a sink of samples, a progress bar, a viewer.
//!
//! A run is reported in this order: [`begin`](Observer::begin) once, then [`sample`](Observer::sample) and
//! [`step`](Observer::step) as time goes on (until the end, or until an observer
//! [wants it](Observer::wants_end)), then [`stopped`](Observer::stopped) and [`end`](Observer::end), whether it
//! succeeded or not. Samples inside a step come after it. Several observers watch as one: a `Vec` of them.

use super::acts::{Acted, HandForce};
use super::{Lost, RequirementReport, Sample, Snapshot, SnapshotError, StepMotion};
use crate::integrators::{Attempt, ErrorNorm};
use kinegraph_convex::profile::Interrupt;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Channel, Diagram};
use std::io;

/// Observes a run. An error stops the run, which then reports it.
pub trait Observer {
    /// True if samples are wanted; if not, the run need not make them.
    fn wants_samples(&self) -> bool {
        true
    }

    /// True if attempts at steps are wanted; if not, the run need not keep them.
    fn wants_attempts(&self) -> bool {
        false
    }

    /// True if the motion within steps is wanted.
    fn wants_motion(&self) -> bool {
        false
    }

    /// Called once, before everything else, with the run that begins.
    ///
    /// # Errors
    /// The samples cannot be kept.
    fn begin(&mut self, _run: &RunStart<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Called with a sample of the diagram: at the start, at every time of a sample, and at the end.
    ///
    /// # Errors
    /// The sample cannot be kept.
    fn sample(&mut self, _sample: &mut Sample<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Called after each step, and after one that failed for good.
    ///
    /// # Errors
    /// The step cannot be kept.
    fn step(&mut self, _step: &StepReport<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Called with the motion within each step, after the step and before its samples; at first with the start of the
    /// run, and at last with its end after its events, as steps of no length. In a live run also with the state that an
    /// act has set.
    ///
    /// # Errors
    /// The observer cannot keep the motion.
    fn motion(&mut self, _motion: &mut StepMotion<'_>) -> io::Result<()> {
        Ok(())
    }

    /// True if verdicts on the requirements of the run are wanted while it goes on.
    fn wants_verdicts(&self) -> bool {
        false
    }

    /// Called with the requirements of the run as they stand, if there are any and they are wanted: some times a second
    /// while the run goes on, and at its end after [`end`](Self::end).
    ///
    /// # Errors
    /// The verdicts cannot be kept.
    fn judged(&mut self, _requirements: &[RequirementReport]) -> io::Result<()> {
        Ok(())
    }

    /// Called with an act on a live run, after it was done and before the next step.
    ///
    /// # Errors
    /// The act cannot be kept.
    fn acted(&mut self, _acted: &Acted) -> io::Result<()> {
        Ok(())
    }

    /// Called when a live run continues with another diagram: the same plants, bodies and channels, other states and
    /// parameters.
    fn changed(&mut self, _diagram: &Diagram) {}

    /// Called when more channels of a live run are wanted from the next sample on: `channels` are the previous ones,
    /// followed by the new ones.
    ///
    /// # Errors
    /// The samples cannot be kept.
    fn widened(&mut self, _diagram: &Diagram, _channels: &[Channel]) -> io::Result<()> {
        Ok(())
    }

    /// Called with the force of the hand of a live run in the step that begins.
    ///
    /// # Errors
    /// The force cannot be kept.
    fn pulled(&mut self, _hand: &HandForce) -> io::Result<()> {
        Ok(())
    }

    /// Called when a live run stands still: everything that waits to be shown is to be shown now.
    ///
    /// # Errors
    /// The waiting output cannot be written.
    fn rests(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Returns the reason why the run is to end, if it is; called after the report of every step. The run is then over
    /// as if this had been its end.
    fn wants_end(&self) -> Option<String> {
        None
    }

    /// Returns an interrupt that may end the run within a long step; called when the run begins. Else a run ends
    /// between two steps.
    fn interrupt(&self) -> Option<Interrupt> {
        None
    }

    /// Called with bodies that fell through what they stood on, before [`stopped`](Self::stopped), if there are any.
    fn lost(&mut self, _lost: &[Lost]) {}

    /// Called with the end of the run: all that is needed to continue later.
    ///
    /// # Errors
    /// The snapshot cannot be kept.
    fn stopped(&mut self, _snapshot: &Snapshot) -> Result<(), SnapshotError> {
        Ok(())
    }

    /// Called after everything else: nothing recorded may be lost.
    ///
    /// # Errors
    /// The samples cannot be kept.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A run that begins.
#[derive(Clone, Copy, Debug)]
pub struct RunStart<'a> {
    /// Diagram of the run; [`Scene::of`](crate::scene::Scene::of) lists its drawable parts.
    pub diagram: &'a Diagram,
    /// Recorded channels.
    pub channels: &'a [Channel],
    /// Time at which it begins \[s\].
    pub time: f64,
    /// Time at which it is to end \[s\].
    pub end: f64,
    /// Time between samples \[s\].
    pub every: f64,
    /// Name of the integrator; empty for one that was not made by its name.
    pub integrator: &'static str,
    /// Its accuracy, if it controls errors.
    pub accuracy: Option<f64>,
}

/// A step that was taken, or failed.
#[derive(Clone, Copy, Debug)]
pub struct StepReport<'a> {
    /// Time reached \[s\].
    pub time: f64,
    /// Attempts at it, the accepted one last; empty unless an observer wants them.
    pub attempts: &'a [Attempt],
    /// Norm of their errors; `None` where the method has no estimate.
    pub norm: Option<&'a ErrorNorm>,
    /// Records of the plants in the last accepted step.
    pub records: &'a [StepRecord],
}

impl StepReport<'_> {
    /// Name of the coordinate with the largest error of an attempt; empty where the method has no estimate.
    pub fn worst(&self, attempt: &Attempt) -> &str {
        attempt.worst.zip(self.norm).map_or("", |(worst, norm)| norm.name(worst))
    }
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn wants_samples(&self) -> bool {
        false
    }
}

/// Observes for all of them, in their order. Those that want no samples get none; `stopped` and `end` reach all, even
/// if others fail.
impl Observer for Vec<Box<dyn Observer + '_>> {
    fn wants_samples(&self) -> bool {
        self.iter().any(|observer| observer.wants_samples())
    }

    fn wants_attempts(&self) -> bool {
        self.iter().any(|observer| observer.wants_attempts())
    }

    fn wants_motion(&self) -> bool {
        self.iter().any(|observer| observer.wants_motion())
    }

    fn motion(&mut self, motion: &mut StepMotion<'_>) -> io::Result<()> {
        let mut wanting = self.iter_mut().filter(|observer| observer.wants_motion());
        wanting.try_for_each(|observer| observer.motion(motion))
    }

    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        self.iter_mut().try_for_each(|observer| observer.begin(run))
    }

    fn wants_verdicts(&self) -> bool {
        self.iter().any(|observer| observer.wants_verdicts())
    }

    fn judged(&mut self, requirements: &[RequirementReport]) -> io::Result<()> {
        let mut wanting = self.iter_mut().filter(|observer| observer.wants_verdicts());
        wanting.try_for_each(|observer| observer.judged(requirements))
    }

    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        let mut wanting = self.iter_mut().filter(|observer| observer.wants_samples());
        wanting.try_for_each(|observer| observer.sample(sample))
    }

    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        self.iter_mut().try_for_each(|observer| observer.step(step))
    }

    fn acted(&mut self, acted: &Acted) -> io::Result<()> {
        self.iter_mut().try_for_each(|observer| observer.acted(acted))
    }

    fn changed(&mut self, diagram: &Diagram) {
        self.iter_mut().for_each(|observer| observer.changed(diagram));
    }

    fn widened(&mut self, diagram: &Diagram, channels: &[Channel]) -> io::Result<()> {
        self.iter_mut().try_for_each(|observer| observer.widened(diagram, channels))
    }

    fn pulled(&mut self, hand: &HandForce) -> io::Result<()> {
        self.iter_mut().try_for_each(|observer| observer.pulled(hand))
    }

    fn rests(&mut self) -> io::Result<()> {
        self.iter_mut().try_for_each(|observer| observer.rests())
    }

    fn wants_end(&self) -> Option<String> {
        self.iter().find_map(|observer| observer.wants_end())
    }

    fn interrupt(&self) -> Option<Interrupt> {
        self.iter().find_map(|observer| observer.interrupt())
    }

    fn lost(&mut self, lost: &[Lost]) {
        self.iter_mut().for_each(|observer| observer.lost(lost));
    }

    fn stopped(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let mut result = Ok(());
        for observer in self {
            result = result.and(observer.stopped(snapshot));
        }
        result
    }

    fn end(&mut self) -> io::Result<()> {
        let mut result = Ok(());
        for observer in self {
            result = result.and(observer.end());
        }
        result
    }
}
