//! Who watches a run: a sink of samples, a progress bar, a viewer.
//!
//! A run is reported in this order: [`begin`](Observer::begin) once, then [`sample`](Observer::sample) and
//! [`step`](Observer::step) as time goes on (until the end, or until an observer
//! [wants it](Observer::wants_end)), then [`stopped`](Observer::stopped) and [`end`](Observer::end), whether it
//! succeeded or not. Samples inside a step come after it. Several observers watch as one: a `Vec` of them.

use super::acts::{Acted, HandForce};
use super::{Lost, Sample, Snapshot, SnapshotError};
use crate::integrators::{Attempt, ErrorNorm};
use kinegraph_convex::profile::Interrupt;
use kinegraph_core::step_record::StepRecord;
use kinegraph_diagram::{Channel, Diagram};
use std::io;

/// Watches a run. An error stops the run, which then reports it.
pub trait Observer {
    /// Whether samples are wanted at all; if not, the run need not make them.
    fn wants_samples(&self) -> bool {
        true
    }

    /// Whether attempts at steps are wanted; if not, the run need not keep them.
    fn wants_attempts(&self) -> bool {
        false
    }

    /// Once, before everything else: what is run.
    ///
    /// # Errors
    /// Where the samples cannot be kept.
    fn begin(&mut self, _run: &RunStart<'_>) -> io::Result<()> {
        Ok(())
    }

    /// The diagram at an instant: at the start, at every time of a sample, and at the end.
    ///
    /// # Errors
    /// Where the sample cannot be kept.
    fn sample(&mut self, _sample: &mut Sample<'_>) -> io::Result<()> {
        Ok(())
    }

    /// After each step, and after one that failed for good.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn step(&mut self, _step: &StepReport<'_>) -> io::Result<()> {
        Ok(())
    }

    /// What somebody did to a live run, after it was done and before the next step.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn acted(&mut self, _acted: &Acted) -> io::Result<()> {
        Ok(())
    }

    /// A live run goes on with another diagram: the same plants, bodies and channels, other states and parameters.
    fn changed(&mut self, _diagram: &Diagram) {}

    /// A live run is asked for more from the next sample on: its `channels` are those that there were, and others
    /// behind them.
    ///
    /// # Errors
    /// Where the samples cannot be kept.
    fn widened(&mut self, _diagram: &Diagram, _channels: &[Channel]) -> io::Result<()> {
        Ok(())
    }

    /// What the hand of a live run does in the step that begins.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn pulled(&mut self, _hand: &HandForce) -> io::Result<()> {
        Ok(())
    }

    /// A live run stands still: whatever waits to be seen is to be seen now.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn rests(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Asked after every step, when it was reported: why the run is to end there, if it is. The run is then over as if
    /// this had been its end.
    fn wants_end(&self) -> Option<String> {
        None
    }

    /// Who may end the run within a step that lasts; asked when the run begins. Else a run ends between two steps.
    fn interrupt(&self) -> Option<Interrupt> {
        None
    }

    /// Bodies that fell through what they stood on, before [`stopped`](Self::stopped), if there are any.
    fn lost(&mut self, _lost: &[Lost]) {}

    /// Where the run ended: what it takes to go on later.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn stopped(&mut self, _snapshot: &Snapshot) -> Result<(), SnapshotError> {
        Ok(())
    }

    /// After everything else: nothing recorded may be lost.
    ///
    /// # Errors
    /// Where the samples cannot be kept.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A run that begins.
#[derive(Clone, Copy, Debug)]
pub struct RunStart<'a> {
    /// What is run; [`Scene::of`](crate::scene::Scene::of) lists what there is to draw of it.
    pub diagram: &'a Diagram,
    /// What is recorded.
    pub channels: &'a [Channel],
    /// Where it begins \[s\].
    pub time: f64,
    /// Where it is to end \[s\].
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
    /// The time reached \[s\].
    pub time: f64,
    /// The attempts at it, the one that was accepted last; empty unless an observer wants them.
    pub attempts: &'a [Attempt],
    /// The norm of their errors; `None` where the method has no estimate.
    pub norm: Option<&'a ErrorNorm>,
    /// What acted on each plant in the last accepted step.
    pub records: &'a [StepRecord],
}

impl StepReport<'_> {
    /// Name of the coordinate in which an attempt erred most; empty where the method has no estimate.
    pub fn worst(&self, attempt: &Attempt) -> &str {
        attempt.worst.zip(self.norm).map_or("", |(worst, norm)| norm.name(worst))
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn wants_samples(&self) -> bool {
        false
    }
}

/// All of them, in their order. Those who want no samples get none; `stopped` and `end` reach all, whatever the others
/// answer.
impl Observer for Vec<Box<dyn Observer + '_>> {
    fn wants_samples(&self) -> bool {
        self.iter().any(|observer| observer.wants_samples())
    }

    fn wants_attempts(&self) -> bool {
        self.iter().any(|observer| observer.wants_attempts())
    }

    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        self.iter_mut().try_for_each(|observer| observer.begin(run))
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
