//! `kinegraph run FILE`: simulate a diagram file.

use super::SignalHandling;
use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::notes;
use super::output::{cannot_write, missing_folder};
use super::progress::{Progress, SaveEnd};
use super::recordings::recordings;
use super::run_options::RunOptions;
use super::scenario;
use super::signals::Signals;
use super::summary::Summary;
use crate::files::Catalog;
use crate::plot::{PlotError, PlotSink};
use crate::record::steps::StepsSink;
use crate::scenario::{Prepared, Simulator, Size};
use crate::simulate::{Observer, RunReport, Snapshot, SnapshotError, Status};
use clap::Args;
use std::io;
use std::path::{Path, PathBuf};

/// Simulate a diagram file
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Run {
    #[command(flatten)]
    run: RunOptions,
    /// Record the run to this file: .csv or .jsonl (the recorded channels), or .mcap (poses, contacts, shapes and steps
    /// too); may be given several times
    #[arg(long, value_name = "FILE")]
    record: Vec<PathBuf>,
    /// Draw the recorded channels over time (.svg or .png)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write every attempt at a step to this file (CSV): time, length, outcome, error, worst coordinate, iterations,
    /// rule
    #[arg(long, value_name = "FILE")]
    steps: Option<PathBuf>,
    /// Measure where the time goes and print a table of it
    #[arg(long)]
    profile: bool,
    /// Start from this snapshot instead of the initial state; time goes on from there, to the same end
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Save the end of the run, also of a failed one, to this file (JSON if it ends in .json, else binary)
    #[arg(long, value_name = "FILE")]
    snapshot: Option<PathBuf>,
    /// Take what is noted of model files for errors: nothing is run
    #[arg(long)]
    strict: bool,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    json: bool,
    /// Show no progress and no summary
    #[arg(long)]
    quiet: bool,
}

impl Run {
    pub(super) fn execute(
        &self,
        catalog: &Catalog,
        simulator: &dyn Simulator,
        console: &mut Console<'_>,
        signals: SignalHandling,
    ) -> io::Result<u8> {
        let Some((loaded, mut built)) =
            scenario::built(catalog, simulator, &self.run.file, &self.run.overrides(), console)?
        else {
            return Ok(WRONG_INPUT);
        };
        if self.strict && notes::refused(&built.size().notes, console)? {
            return Ok(WRONG_INPUT);
        }
        if let Err(message) = self.prepare_snapshots(&mut *built) {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        if self.profile {
            built.profile();
        }
        self.print_notes(&built.size(), console)?;
        // Opened only now: a file with faults leaves an older recording alone.
        if let Some(message) = self.plot.as_deref().and_then(wrong_picture) {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        let sinks = recordings(&self.record, loaded.diagram.view)
            .and_then(|samples| Ok((samples, created("--steps", self.steps.as_deref(), StepsSink::create)?)));
        let (sinks, steps) = match sinks {
            Ok(sinks) => sinks,
            Err(message) => {
                writeln!(console.err, "{message}")?;
                return Ok(WRONG_INPUT);
            }
        };
        let mut observers: Vec<Box<dyn Observer>> = Vec::new();
        if console.interactive && !self.quiet && !self.json {
            observers.push(Box::new(Progress::new()));
        }
        observers.extend(sinks);
        observers.extend(self.plot.clone().map(|file| Box::new(PlotSink::new(file)) as Box<dyn Observer>));
        observers.extend(steps.map(|steps| Box::new(steps) as Box<dyn Observer>));
        observers.extend(self.snapshot.clone().map(|file| Box::new(SaveEnd(file)) as Box<dyn Observer>));
        // Only now: until here there is nothing to lose.
        let signals = if signals == SignalHandling::Signals { Signals::listen()? } else { Signals::default() };
        observers.push(Box::new(signals.clone()));
        let run = built.run(&mut observers);
        signals.release();
        let code = self.report(&run, console)?;
        Ok(match run.status {
            Status::Interrupted(_) => signals.exit_code().unwrap_or(code),
            _ => code,
        })
    }

    /// Takes up the snapshot to resume from, and looks ahead whether one can be written: nobody likes to hear it after
    /// a long run.
    fn prepare_snapshots(&self, run: &mut dyn Prepared) -> Result<(), String> {
        if let Some(file) = &self.resume {
            let resumed = Snapshot::read(file).and_then(|snapshot| run.resume(&snapshot));
            resumed.map_err(|error| match error {
                // These name the file themselves.
                SnapshotError::Unreadable { .. } => format!("--resume {error}"),
                error => format!("--resume {}: {error}", file.display()),
            })?;
        }
        match &self.snapshot {
            Some(file) if file.is_dir() => Err(cannot_write("--snapshot", file, &io::ErrorKind::IsADirectory.into())),
            Some(file) if missing_folder(file).is_some() => {
                Err(cannot_write("--snapshot", file, &io::ErrorKind::NotFound.into()))
            }
            _ => Ok(()),
        }
    }

    /// What the model files say that a person should know: how much, and in full what does not touch though it should.
    fn print_notes(&self, size: &Size, console: &mut Console<'_>) -> io::Result<()> {
        if self.quiet || size.notes.is_empty() {
            return Ok(());
        }
        let losses = notes::losses(&size.notes);
        losses.iter().try_for_each(|loss| writeln!(console.err, "note: {loss}"))?;
        if self.json {
            return Ok(());
        }
        let notes = notes::count(&size.notes);
        writeln!(
            console.err,
            "{notes} on what the model files say (list with `kinegraph check {} --notes`)",
            self.run.file.display()
        )
    }

    fn report(&self, run: &RunReport, console: &mut Console<'_>) -> io::Result<u8> {
        if self.json {
            serde_json::to_writer(&mut *console.out, run)?;
            writeln!(console.out)?;
        } else if !self.quiet {
            write!(console.out, "{}", Summary(run))?;
        }
        if run.status.is_done() {
            return Ok(DONE);
        }
        // The summary says it on standard output already; a silent or scripted run still needs a reason.
        if self.quiet || self.json {
            writeln!(console.err, "{}: {}", run.diagram, run.status)?;
        }
        Ok(FAILED)
    }
}

/// What `create` makes of the file that `option` names, if it does.
fn created<T>(option: &str, file: Option<&Path>, create: fn(&Path) -> io::Result<T>) -> Result<Option<T>, String> {
    file.map(|file| create(file).map_err(|error| cannot_write(option, file, &error))).transpose()
}

/// Why `--plot` cannot be written, as far as it shows before the run.
fn wrong_picture(file: &Path) -> Option<String> {
    let extension = file.extension().and_then(|extension| extension.to_str());
    if !matches!(extension, Some("svg" | "png")) {
        return Some(format!("--plot {}: {}", file.display(), PlotError::Format));
    }
    missing_folder(file).map(|_| cannot_write("--plot", file, &io::ErrorKind::NotFound.into()))
}
