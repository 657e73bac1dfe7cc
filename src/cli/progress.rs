//! Who watches a run for the console: the progress bar, and what saves its end.

use crate::simulate::{Observer, RunStart, Snapshot, SnapshotError, StepReport};
use indicatif::{ProgressBar, ProgressStyle};
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often the bar is drawn at most.
const REDRAW: Duration = Duration::from_millis(100);
/// The bar counts thousandths of the duration.
const TICKS: u64 = 1000;

/// Shows how far the run is. Gone when the run has ended.
pub(super) struct Progress {
    bar: ProgressBar,
    /// Where the run is to end \[s\].
    end: f64,
    drawn: Instant,
}

impl Progress {
    /// A bar that is drawn as soon as there is something to show.
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new(TICKS);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}  {elapsed} (about {eta} left)")
        {
            bar.set_style(style);
        }
        Progress { bar, end: 0.0, drawn: Instant::now() }
    }
}

impl Observer for Progress {
    fn wants_samples(&self) -> bool {
        false
    }

    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        self.end = run.end;
        Ok(())
    }

    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        if self.drawn.elapsed() >= REDRAW {
            self.drawn = Instant::now();
            let part = if self.end > 0.0 { (step.time / self.end).clamp(0.0, 1.0) } else { 1.0 };
            self.bar.set_position((part * TICKS as f64) as u64);
            self.bar.set_message(format!("t = {:.3} of {} s", step.time, self.end));
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.bar.finish_and_clear();
        Ok(())
    }
}

/// Saves where the run ended to a file.
pub(super) struct SaveEnd(pub PathBuf);

impl Observer for SaveEnd {
    fn wants_samples(&self) -> bool {
        false
    }

    fn stopped(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        snapshot.write(&self.0)
    }
}
