//! A run that is judged and observed by others.

use super::Monitor;
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::simulate::{
    Acted, HandForce, Interrupt, Lost, Observer, RequirementReport, RunStart, Sample, Snapshot, SnapshotError,
    StepMotion, StepReport,
};
use std::io;
use std::time::{Duration, Instant};

/// Least time between verdicts on a run that goes on.
const PERIOD: Duration = Duration::from_millis(100);

/// An observer, and a monitor beside it.
pub struct Observed<'a, 'm> {
    observer: &'a mut dyn Observer,
    monitor: &'a mut Monitor<'m>,
    /// Instant at which the observer got verdicts, and the time of the run \[s\].
    judged: Instant,
    time: f64,
    /// Time at which the run ends \[s\].
    end: f64,
}

impl<'a, 'm> Observed<'a, 'm> {
    /// The run that `observer` sees is also judged by `monitor`.
    pub fn new(observer: &'a mut dyn Observer, monitor: &'a mut Monitor<'m>) -> Self {
        Observed { observer, monitor, judged: Instant::now(), time: 0.0, end: f64::INFINITY }
    }

    fn judge(&mut self) -> io::Result<()> {
        self.judged = Instant::now();
        // A live run waits at its end.
        let done = self.time >= self.end;
        self.observer.judged(&self.monitor.report(self.time, done))
    }
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
        self.end = run.end;
        self.monitor.begin(run)?;
        self.observer.begin(run)
    }

    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        self.observer.sample(sample)
    }

    fn wants_verdicts(&self) -> bool {
        self.observer.wants_verdicts()
    }

    fn judged(&mut self, requirements: &[RequirementReport]) -> io::Result<()> {
        self.observer.judged(requirements)
    }

    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        self.observer.step(step)
    }

    fn motion(&mut self, motion: &mut StepMotion<'_>) -> io::Result<()> {
        self.monitor.motion(motion)?;
        self.time = motion.times().1;
        if self.observer.wants_verdicts() && self.judged.elapsed() >= PERIOD {
            self.judge()?;
        }
        if self.observer.wants_motion() { self.observer.motion(motion) } else { Ok(()) }
    }

    fn acted(&mut self, acted: &Acted) -> io::Result<()> {
        self.observer.acted(acted)
    }

    fn changed(&mut self, diagram: &Diagram) {
        self.monitor.turn_to(diagram);
        self.observer.changed(diagram);
    }

    fn widened(&mut self, diagram: &Diagram, channels: &[Channel]) -> io::Result<()> {
        self.observer.widened(diagram, channels)
    }

    fn pulled(&mut self, hand: &HandForce) -> io::Result<()> {
        self.observer.pulled(hand)
    }

    fn rests(&mut self) -> io::Result<()> {
        if self.observer.wants_verdicts() {
            self.judge()?;
        }
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
