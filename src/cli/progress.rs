//! Observers of a run for the console: the progress bar, the budget, and the snapshot of the end.

use crate::simulate::{Observer, RunStart, Snapshot, SnapshotError, StepReport};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Minimum time between updates of the bar.
const REDRAW: Duration = Duration::from_millis(100);
/// The bar counts in thousandths of the duration.
const TICKS: u64 = 1000;

/// Progress bar of a run, which disappears at its end.
pub(super) struct Progress {
    bar: ProgressBar,
    /// End of the run \[s\].
    end: f64,
    drawn: Instant,
    /// Simulated time and instant at the start of the run.
    start: (f64, Instant),
    /// Simulated time and instant of the last measurement of the rate, and that rate: simulated time per second of the
    /// clock.
    marked: (f64, Instant),
    rate: Option<f64>,
    /// Time of the previous step \[s\].
    before: f64,
}

/// Time span over which the rate is measured.
const RATE_SPAN: Duration = Duration::from_secs(2);

/// Wall time left \[s\] after `elapsed` \[s\] at the fraction `part` of the run; `None` near the start, where it is
/// unknown.
pub fn left(part: f64, elapsed: f64) -> Option<f64> {
    const MIN_PART_DONE: f64 = 1e-3;
    (part >= MIN_PART_DONE).then(|| elapsed * (1.0 - part) / part)
}

impl Progress {
    /// Creates a bar that is drawn as soon as there is something to show.
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new(TICKS);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}  {elapsed}{prefix}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        Progress { bar, end: 0.0, drawn: now, start: (0.0, now), marked: (0.0, now), rate: None, before: 0.0 }
    }
}

impl Observer for Progress {
    fn wants_samples(&self) -> bool {
        false
    }

    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        (self.end, self.start, self.before) = (run.end, (run.time, Instant::now()), run.time);
        self.marked = self.start;
        Ok(())
    }

    fn step(&mut self, step: &StepReport<'_>) -> io::Result<()> {
        if self.drawn.elapsed() >= REDRAW {
            self.drawn = Instant::now();
            let (start, began) = self.start;
            let way = self.end - start;
            let part = if way > 0.0 { ((step.time - start) / way).clamp(0.0, 1.0) } else { 1.0 };
            self.bar.set_position((part * TICKS as f64) as u64);
            let passed = self.marked.1.elapsed();
            if passed >= RATE_SPAN {
                self.rate = Some((step.time - self.marked.0) / passed.as_secs_f64());
                self.marked = (step.time, Instant::now());
            }
            // At the present rate, since a run that gets slower takes longer than its start promised.
            let left = match self.rate {
                Some(rate) if rate > 0.0 => Some((self.end - step.time) / rate),
                Some(_) => Some(f64::INFINITY),
                None => left(part, began.elapsed().as_secs_f64()),
            };
            self.bar.set_prefix(left.map_or_else(String::new, about));
            let rate = self.rate.map_or_else(String::new, |rate| format!(", {rate:.2e} of the clock"));
            let h = step.time - self.before;
            self.bar.set_message(format!("t = {:.3} of {} s{rate}, steps of {h:.1e} s", step.time, self.end));
        }
        self.before = step.time;
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.bar.finish_and_clear();
        Ok(())
    }
}

/// Progress bar of a sweep: runs done, and the time left.
pub(super) struct Count {
    bar: ProgressBar,
    all: u64,
    /// Number of runs done before.
    before: u64,
    done: u64,
    drawn: Instant,
    began: Instant,
}

impl Count {
    pub(super) fn new(all: u64, before: u64) -> Self {
        let bar = ProgressBar::new(all);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} runs{msg}  {elapsed}{prefix}") {
            bar.set_style(style);
        }
        bar.set_position(before);
        let now = Instant::now();
        Count { bar, all, before, done: before, drawn: now, began: now }
    }

    /// Counts a run that has ended; `failed` of all runs did not reach their end.
    pub(super) fn one_more(&mut self, failed: usize) {
        self.done += 1;
        if self.drawn.elapsed() < REDRAW {
            return;
        }
        self.drawn = Instant::now();
        self.bar.set_position(self.done);
        if failed > 0 {
            self.bar.set_message(format!(", {failed} failed"));
        }
        let part = (self.done - self.before) as f64 / (self.all - self.before) as f64;
        let left = left(part, self.began.elapsed().as_secs_f64());
        self.bar.set_prefix(left.map_or_else(String::new, about));
    }

    pub(super) fn end(self) {
        self.bar.finish_and_clear();
    }
}

/// Progress of a search of `kinegraph fit`: its iterations, and how much smaller the residuals are.
pub(super) struct Search {
    bar: ProgressBar,
}

impl Search {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message("first run");
        bar.enable_steady_tick(REDRAW);
        Search { bar }
    }

    /// Shows the numbers of iterations and runs, and the size of the residuals over that at the start.
    pub(super) fn show(&mut self, iterations: usize, runs: usize, size: f64) {
        self.bar.set_message(format!("{iterations} iterations, {runs} runs, residuals at {:.3e} of the start", size));
    }

    pub(super) fn end(self) {
        self.bar.finish_and_clear();
    }
}

/// Text such as ` (about 5 minutes left)`.
fn about(left: f64) -> String {
    format!(" (about {} left)", HumanDuration(Duration::from_secs_f64(left.min(1e9).ceil())))
}

/// Observer that ends a run which exceeds its budget of wall time.
#[derive(Clone)]
pub(super) struct Budget {
    seconds: f64,
    began: Instant,
}

impl Budget {
    /// Starts the clock.
    pub(super) fn new(seconds: f64) -> Self {
        Budget { seconds, began: Instant::now() }
    }
}

impl Observer for Budget {
    fn wants_samples(&self) -> bool {
        false
    }

    fn wants_end(&self) -> Option<String> {
        let spent = self.began.elapsed().as_secs_f64() >= self.seconds;
        spent.then(|| format!("its budget of {} s", self.seconds))
    }
}

/// Observer that saves the end of the run to a file.
pub(super) struct SaveEnd(pub PathBuf);

impl Observer for SaveEnd {
    fn wants_samples(&self) -> bool {
        false
    }

    fn stopped(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        snapshot.write(&self.0)
    }
}
