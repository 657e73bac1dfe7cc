//! `kinegraph run FILE`: simulates a diagram file.

use super::console::{Console, DONE, FAILED, VIOLATED, WRONG_INPUT};
use super::model_scene;
use super::notes;
use super::output::cannot_write;
use super::outputs::{OutputFormat, Outputs};
use super::pace::Pace;
use super::progress::{Budget, Progress, SaveEnd};
use super::recordings::recordings;
use super::replay::Session;
use super::run_options::RunOptions;
use super::scenario;
use super::signals::{SignalHandling, Signals};
use super::verify::{Verified, VerifyOptions};
use crate::files::{Catalog, Override, number_in};
use crate::plot::PlotSink;
use crate::record::steps::StepsSink;
use crate::scenario::{LiveWorkshop, Prepared, Simulator, Size};
use crate::simulate::{Hands, Observer, RunReport, Snapshot, SnapshotError};
use crate::verify::Verification;
use clap::Args;
use kinegraph_systems::memory;
use std::io;
use std::path::{Path, PathBuf};

/// Simulate a diagram file
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Run {
    /// The diagram file (YAML or JSON)
    #[arg(required_unless_present = "replay")]
    file: Option<PathBuf>,
    #[command(flatten)]
    run: RunOptions,
    /// Record the run to this file: .csv or .jsonl (the recorded channels), or .mcap (poses, contacts, shapes and steps
    /// too); may be given several times
    #[arg(long, value_name = "FILE")]
    record: Vec<PathBuf>,
    /// Draw the recorded channels over time (.svg or .png); may be given several times
    #[arg(long, value_name = "FILE")]
    plot: Vec<PathBuf>,
    /// Write every attempt at a step to this file (CSV): time, length, outcome, error, worst coordinate, iterations,
    /// rule
    #[arg(long, value_name = "FILE")]
    steps: Option<PathBuf>,
    /// Have noise draw what it drew in the run of a sweep with this number in the column `seed` of its table
    #[arg(long, value_name = "N", conflicts_with_all = ["resume", "replay", "verify"])]
    seed: Option<u64>,
    /// Measure where the time goes and print a table of it
    #[arg(long)]
    profile: bool,
    /// Start from this snapshot instead of the initial state; time goes on from there, to the same end
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Resume also where the diagram was changed since the snapshot, and list what differs; its states must be the same
    #[arg(long, requires = "resume")]
    resume_changed: bool,
    /// Save the end of the run, also of a failed one, to this file (JSON if it ends in .json, else binary)
    #[arg(long, value_name = "FILE")]
    snapshot: Option<PathBuf>,
    /// Do again what a recording of a live run (`view --live --record`) says was done, to the last bit; FILE may be
    /// left out
    #[arg(long, value_name = "FILE.mcap", conflicts_with_all = ["resume", "profile", "verify"])]
    replay: Option<PathBuf>,
    /// End the run after this time of the clock [s], with exit code 1; what was recorded stays
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    budget: Option<f64>,
    #[command(flatten)]
    verify: VerifyOptions,
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

/// Parses a positive number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds = number_in(text, "s")?;
    if seconds > 0.0 { Ok(seconds) } else { Err("expected a number of seconds above zero".to_owned()) }
}

impl Run {
    pub(super) fn execute(
        &self,
        catalog: &Catalog,
        simulator: &dyn Simulator,
        console: &mut Console<'_>,
        signals: SignalHandling,
    ) -> io::Result<u8> {
        let read = |path| Session::read(path, catalog.allows_outside());
        let mut session = match self.replay.as_deref().map(read).transpose() {
            Ok(session) => session,
            Err(message) => {
                writeln!(console.err, "{message}")?;
                return Ok(WRONG_INPUT);
            }
        };
        let Some(file) = self.file.clone().or_else(|| session.as_ref().map(|session| session.file.clone())) else {
            writeln!(console.err, "which diagram file? `kinegraph run FILE`")?;
            return Ok(WRONG_INPUT);
        };
        if let (Some(session), None) = (&session, &self.file) {
            let file = session.file.display();
            if session.is_outside {
                writeln!(
                    console.err,
                    "--replay: the recording names the diagram {file}, neither in its folder nor where you are: name \
                     it (`kinegraph run {file} --replay …`), or run with --allow-outside"
                )?;
                return Ok(WRONG_INPUT);
            }
            if !self.quiet {
                writeln!(console.err, "note: the recording names the diagram {file}, which is read")?;
            }
        }
        if let (Some(until), false) = (session.as_ref().and_then(|session| session.torn_at), self.quiet) {
            writeln!(
                console.err,
                "note: the recording is torn: it ends at t = {until} s, and what was done behind that is not done again"
            )?;
        }
        let set: Vec<Override> = session.iter().flat_map(|session| session.set.clone()).collect();
        let set = [set, self.run.overrides()].concat();
        if let Some(message) = model_scene::missing(&file) {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        let text = model_scene::text(&file);
        if let (Some(_), None) = (&text, &session) {
            writeln!(console.err, "{}", model_scene::advice(&file))?;
            return Ok(WRONG_INPUT);
        }
        let mut workshop = LiveWorkshop::new(catalog, &file, text, set);
        let Some((loaded, mut built)) = scenario::built_by(&workshop, simulator, console)? else {
            return Ok(WRONG_INPUT);
        };
        if self.strict && notes::refused(&built.size().notes, console)? {
            return Ok(WRONG_INPUT);
        }
        match self.resume(&mut *built) {
            Ok(changes) => changes.iter().try_for_each(|change| writeln!(console.err, "note: changed: {change}"))?,
            Err(message) => {
                writeln!(console.err, "{message}")?;
                return Ok(WRONG_INPUT);
            }
        }
        if let Err(message) =
            self.claim_outputs(loaded.loader.files_read().into_iter().chain(self.replay.clone()).collect())
        {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        if let Some(seed) = self.seed {
            built.draw(seed);
        }
        if self.profile {
            built.profile();
        }
        let beside = match self.verify.beside(&loaded, self.resume.as_deref()) {
            Ok(beside) => beside,
            Err(message) => {
                writeln!(console.err, "{message}")?;
                return Ok(WRONG_INPUT);
            }
        };
        self.print_notes(&file, &built.size(), console)?;
        if !self.quiet {
            let method = loaded.diagram.simulation.integrator;
            self.run.unread_by(method).iter().try_for_each(|unread| writeln!(console.err, "note: {unread}"))?;
        }
        if !self.plot.is_empty() {
            let samples = loaded.diagram.simulation.duration / loaded.diagram.record.every;
            let bytes = 16.0 * samples * (self.plot.len() * (built.size().channels.len() + 1)) as f64;
            if let Err(error) = memory::ask(|| format!("--plot of {samples:.1e} samples"), bytes as u64) {
                writeln!(console.err, "{error}")?;
                return Ok(WRONG_INPUT);
            }
        }
        // Opened only now, so that a file with faults does not replace an older recording.
        let sinks = recordings(&self.record, loaded.diagram.view, &built.size().pictures)
            .and_then(|samples| Ok((samples, created("--steps", self.steps.as_deref(), StepsSink::create)?)));
        let (sinks, steps) = match sinks {
            Ok(sinks) => sinks,
            Err(message) => {
                writeln!(console.err, "{message}")?;
                return Ok(WRONG_INPUT);
            }
        };
        let mut observers: Vec<Box<dyn Observer + '_>> = Vec::new();
        if !self.quiet {
            observers.push(Box::new(Pace::new(&mut *console.err)));
        }
        if console.interactive && !self.quiet && !self.json {
            observers.push(Box::new(Progress::new()));
        }
        observers.extend(sinks);
        observers.extend(self.plot.iter().cloned().map(|file| Box::new(PlotSink::new(file)) as Box<dyn Observer>));
        observers.extend(steps.map(|steps| Box::new(steps) as Box<dyn Observer>));
        observers.extend(self.snapshot.clone().map(|file| Box::new(SaveEnd(file)) as Box<dyn Observer>));
        // Only now, since until here there is nothing to lose.
        let signals = Signals::of(signals)?;
        observers.push(Box::new(signals.clone()));
        let budget = self.budget.map(Budget::new);
        observers.extend(budget.clone().map(|budget| Box::new(budget) as Box<dyn Observer>));
        let run = match &mut session {
            Some(session) => {
                let mut hands = Hands { desk: &mut session.desk, workshop: &mut workshop };
                built.run_live(&mut observers, &mut hands)
            }
            None => built.run(&mut observers),
        };
        let interrupt = || signals.wants_end().or_else(|| budget.as_ref().and_then(Observer::wants_end));
        drop(observers);
        let verification = beside.map(|beside| beside.verify(&run.status, &interrupt));
        signals.release();
        let code = self.report(&run, verification.as_ref(), console)?;
        Ok(signals.exit_code().filter(|_| code != DONE).unwrap_or(code))
    }

    /// Checks before the run that all outputs can be written and what they replace, since a failure after a long run
    /// would lose it.
    fn claim_outputs(&self, inputs: Vec<PathBuf>) -> Result<(), String> {
        let mut outputs = Outputs::new(inputs);
        self.resume.iter().for_each(|file| outputs.reads(file));
        self.record.iter().try_for_each(|file| outputs.claim("--record", file, &OutputFormat::TABLES))?;
        outputs.claim_given("--steps", self.steps.as_ref(), &OutputFormat::STEPS)?;
        self.plot.iter().try_for_each(|file| outputs.claim("--plot", file, &OutputFormat::PLOT))?;
        outputs.claim_given("--snapshot", self.snapshot.as_ref(), &OutputFormat::SNAPSHOT)
    }

    /// Resumes from the snapshot, if one is given. Returns the differences between the diagram of the snapshot and this
    /// one.
    fn resume(&self, run: &mut dyn Prepared) -> Result<Vec<String>, String> {
        let mut changes = Vec::new();
        if let Some(file) = &self.resume {
            let resumed = Snapshot::read(file).and_then(|snapshot| run.resume(&snapshot, self.resume_changed));
            changes = resumed.map_err(|error| match error {
                // These errors contain the name of the file.
                SnapshotError::Unreadable { .. } => format!("--resume {error}"),
                error => format!("--resume {}: {error}", file.display()),
            })?;
        }
        Ok(changes)
    }

    /// Prints the number of notes on the model files, and in full those on missing contact and on doubtful numbers.
    fn print_notes(&self, file: &Path, size: &Size, console: &mut Console<'_>) -> io::Result<()> {
        let is_mcap = |file: &PathBuf| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mcap"));
        if !self.quiet && !size.pictures.is_empty() && !self.record.is_empty() && !self.record.iter().any(is_mcap) {
            let all = size.pictures.join(", ");
            writeln!(console.err, "note: only a recording in .mcap has pictures and scans: {all}")?;
        }
        if self.quiet || size.notes.is_empty() {
            return Ok(());
        }
        notes::first(&size.notes).iter().try_for_each(|note| writeln!(console.err, "note: {note}"))?;
        if self.json {
            return Ok(());
        }
        let notes = notes::count(&size.notes);
        writeln!(
            console.err,
            "{notes} on what the model files say (list with `kinegraph check {} --notes`)",
            file.display()
        )
    }

    fn report(&self, run: &RunReport, verify: Option<&Verification>, console: &mut Console<'_>) -> io::Result<u8> {
        if self.json {
            serde_json::to_writer(&mut *console.out, &Reported { run, verify })?;
            writeln!(console.out)?;
        } else if !self.quiet {
            write!(console.out, "{}", Verified(run, verify))?;
        }
        if run.status.is_done() {
            let unmet: Vec<_> = run.requirements.iter().filter(|one| !one.is_met()).collect();
            if self.quiet {
                unmet.iter().try_for_each(|one| writeln!(console.err, "{}: {}: {one}", run.diagram, one.name))?;
            }
            let Some(verification) = verify.filter(|verification| !verification.is_verified()) else {
                return Ok(if unmet.is_empty() { DONE } else { VIOLATED });
            };
            if self.quiet || self.json {
                writeln!(console.err, "{}: {verification}", run.diagram)?;
            }
            return Ok(FAILED);
        }
        // The summary on standard output has the reason already; a silent or scripted run needs it here.
        if self.quiet || self.json {
            writeln!(console.err, "{}: {}", run.diagram, run.status)?;
        }
        Ok(FAILED)
    }
}

/// JSON object of a run.
#[derive(serde::Serialize)]
struct Reported<'a> {
    #[serde(flatten)]
    run: &'a RunReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    verify: Option<&'a Verification>,
}

/// Result of `create` for the file that `option` names, if it is given.
fn created<T>(option: &str, file: Option<&Path>, create: fn(&Path) -> io::Result<T>) -> Result<Option<T>, String> {
    file.map(|file| create(file).map_err(|error| cannot_write(option, file, &error))).transpose()
}
