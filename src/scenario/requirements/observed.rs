//! A run that is judged and observed by others.

use super::Monitor;
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::simulate::{
    Acted, HandForce, Interrupt, Lost, Observer, RunStart, Sample, Snapshot, SnapshotError, StepMotion, StepReport,
};
use std::io;

/// An observer, and a monitor beside it.
pub struct Observed<'a, 'm> {
    /// The observer.
    pub observer: &'a mut dyn Observer,
    /// The monitor.
    pub monitor: &'a mut Monitor<'m>,
}

impl Observer for Observed<'_, '_> {
    fn wants_samples(&self) -> bool {
        self.observer.wants_samples()
    }

    fn wants_attempts(&self) -> bool {
        self.observer.wants_attempts()
    }

    fn wants_motion(&self) -> bool {
        true
    }

    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        self.monitor.begin(run)?;
        self.observer.begin(run)
    }

    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        self.observer.sample(sample)
    }

    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        self.observer.step(step)
    }

    fn motion(&mut self, motion: &mut StepMotion<'_>) -> io::Result<()> {
        self.monitor.motion(motion)?;
        if self.observer.wants_motion() { self.observer.motion(motion) } else { Ok(()) }
    }

    fn acted(&mut self, acted: &Acted) -> io::Result<()> {
        self.observer.acted(acted)
    }

    fn changed(&mut self, diagram: &Diagram) {
        self.observer.changed(diagram);
    }

    fn widened(&mut self, diagram: &Diagram, channels: &[Channel]) -> io::Result<()> {
        self.observer.widened(diagram, channels)
    }

    fn pulled(&mut self, hand: &HandForce) -> io::Result<()> {
        self.observer.pulled(hand)
    }

    fn rests(&mut self) -> io::Result<()> {
        self.observer.rests()
    }

    fn wants_end(&self) -> Option<String> {
        self.observer.wants_end()
    }

    fn interrupt(&self) -> Option<Interrupt> {
        self.observer.interrupt()
    }

    fn lost(&mut self, lost: &[Lost]) {
        self.observer.lost(lost);
    }

    fn stopped(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.observer.stopped(snapshot)
    }

    fn end(&mut self) -> io::Result<()> {
        self.observer.end()
    }
}
