//! The progress bar, and the observer that feeds it and the recording.

use crate::integrators::Attempt;
use crate::record::csv::CsvSink;
use crate::record::steps::StepsSink;
use crate::simulate::{Observer, Snapshot, SnapshotError};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often the bar is drawn at most.
const REDRAW: Duration = Duration::from_millis(100);

/// Watches a run for the console and the recording; either may be absent.
pub(super) struct Watcher {
    bar: Option<Bar>,
    sink: Option<CsvSink<BufWriter<File>>>,
    /// Where the end of the run is saved.
    snapshot: Option<PathBuf>,
    steps: Option<StepsSink<BufWriter<File>>>,
}

struct Bar {
    bar: ProgressBar,
    duration: f64,
    drawn: Instant,
}

/// The bar counts thousandths of the duration.
const TICKS: u64 = 1000;

impl Watcher {
    /// A watcher with a bar for a run of `duration` \[s\] if `shown`, and with a recording if there is a `sink`.
    pub(super) fn new(duration: f64, shown: bool, sink: Option<CsvSink<BufWriter<File>>>) -> Self {
        let style = "{bar:40} {percent:>3} %  {msg}  {elapsed} (about {eta} left)";
        let bar = shown.then(|| {
            let bar = ProgressBar::new(TICKS);
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style);
            }
            Bar { bar, duration, drawn: Instant::now() }
        });
        Watcher { bar, sink, snapshot: None, steps: None }
    }

    /// The same, saving the end of the run to a file.
    pub(super) fn saving(self, snapshot: Option<PathBuf>) -> Self {
        Watcher { snapshot, ..self }
    }

    /// The same, keeping the attempts at every step.
    pub(super) fn keeping(self, steps: Option<StepsSink<BufWriter<File>>>) -> Self {
        Watcher { steps, ..self }
    }

    /// Removes the bar.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.bar.finish_and_clear();
        }
    }
}

impl Observer for Watcher {
    fn wants_samples(&self) -> bool {
        self.sink.is_some()
    }

    fn begin(&mut self, channels: &[String]) -> io::Result<()> {
        self.sink.as_mut().map_or(Ok(()), |sink| sink.begin(channels))
    }

    fn sample(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        self.sink.as_mut().map_or(Ok(()), |sink| sink.sample(time, values))
    }

    fn wants_attempts(&self) -> bool {
        self.steps.is_some()
    }

    fn attempt(&mut self, attempt: &Attempt, worst: &str) -> io::Result<()> {
        self.steps.as_mut().map_or(Ok(()), |steps| steps.attempt(attempt, worst))
    }

    fn progress(&mut self, time: f64) {
        if let Some(bar) = &mut self.bar
            && bar.drawn.elapsed() >= REDRAW
        {
            bar.drawn = Instant::now();
            let part = if bar.duration > 0.0 { (time / bar.duration).clamp(0.0, 1.0) } else { 1.0 };
            bar.bar.set_position((part * TICKS as f64) as u64);
            bar.bar.set_message(format!("t = {time:.3} of {} s", bar.duration));
        }
    }

    fn stopped(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.snapshot.as_deref().map_or(Ok(()), |file| snapshot.write(file))
    }

    fn end(&mut self) -> io::Result<()> {
        let samples = self.sink.as_mut().map_or(Ok(()), Observer::end);
        samples.and(self.steps.as_mut().map_or(Ok(()), StepsSink::end))
    }
}
