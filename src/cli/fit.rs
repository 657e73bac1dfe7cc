//! `kinegraph fit FILE`: parameters from recordings.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::numbers::{long, short};
use super::outputs::{OutputFormat, Outputs};
use super::progress::Search;
use super::signals::{SignalHandling, Signals};
use super::{fit_arm, fit_plan, gradient};
use crate::files::{Catalog, Override};
use crate::fit::{
    Fit as Problem, FitAsked, FitError, FitReport, Fitted, Match, Noise, PlanAsked, PlanReport, Progress, SavedFit,
    Stop, Watch, in_full,
};
use crate::gradient::FileGradientError;
use crate::simulate::gradient::GradientError;
use crate::sweep::{Axis, Template};
use crate::whole_file;
use clap::Args;
use serde_json::json;
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Fit parameters to recordings: values with intervals, and what the recordings leave open
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Fit {
    /// The diagram file (YAML or JSON), whose section `fit` says what no option does; with --plan several, which are
    /// compared
    #[arg(required = true)]
    file: Vec<PathBuf>,
    /// A recording (.csv, .jsonl or .mcap) with a column of times; several are fitted together
    #[arg(long, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Fit nothing: say what an experiment would show with --noise, at the values of the file
    #[arg(long, conflicts_with_all = ["out", "report", "torques", "resume", "robust"])]
    plan: bool,
    /// Values of a parameter in experiments that are compared: PATH=a,b,c as of `kinegraph sweep`
    #[arg(long, value_name = "PATH=VALUES", requires = "plan", value_parser = Axis::parse)]
    vary: Vec<Axis>,
    /// A channel, and the column that it is compared with where that has another name; default: all columns that are
    /// channels
    #[arg(long = "match", value_name = "CHANNEL=COLUMN", value_parser = str::parse::<Match>)]
    matches: Vec<Match>,
    /// Number to be fitted: a value of the file as of --set, initial(STATE), delay(CHANNEL) or bias(CHANNEL); with
    /// bounds, and a start in place of the value of the file: parameters.m, parameters.m=0.1:5 or parameters.m=0.1:1:5;
    /// its logarithm is fitted where the upper bound is more than 100 times the lower one, or with `:log` behind them
    #[arg(long, value_name = "PATH=LOW:HIGH", value_parser = str::parse::<Fitted>)]
    by: Vec<Fitted>,
    /// Number of which each recording has its own, as of --by: initial(plant.box.x)=-1:1
    #[arg(long, value_name = "PATH=LOW:HIGH", value_parser = str::parse::<Fitted>)]
    each: Vec<Fitted>,
    /// Standard deviation of the noise in all channels, or in one (CHANNEL=DEVIATION); default: that of the residuals
    /// of each
    #[arg(long, value_name = "DEVIATION", value_parser = str::parse::<Noise>)]
    noise: Vec<Noise>,
    /// Let single samples that are far off count little
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    robust: Option<bool>,
    /// Compare until this time [s]
    #[arg(long, value_name = "T", value_parser = gradient::time)]
    until: Option<f64>,
    /// Replace a value of the file, e.g. systems.controller.kp=100
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    overrides: Vec<Override>,
    /// Fit the inertias of this model instead, from torques of its joints by inverse dynamics: plant.arm. The
    /// recordings have JOINT.q, JOINT.tau and, if they were measured, JOINT.v and JOINT.a
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["by", "each", "noise", "robust", "resume", "until"])]
    torques: Option<String>,
    /// Fit viscous and dry friction of the joints too
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        conflicts_with = "plan"
    )]
    friction: Option<bool>,
    /// Fit inertias of rotors too
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        conflicts_with = "plan"
    )]
    rotors: Option<bool>,
    /// Samples over which derivatives are taken that were not recorded; default: those with the smallest differences
    #[arg(long, value_name = "SAMPLES", conflicts_with = "plan")]
    window: Option<usize>,
    /// Write the file with the fitted values to this file; a search that is stopped is saved beside it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a report with plots to this file (.html)
    #[arg(long, value_name = "FILE", conflicts_with = "torques")]
    report: Option<PathBuf>,
    /// Go on with the search that was stopped, by the state beside --out
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Shows the search, saves it beside its output, and ends it by a signal.
struct Watcher<'a> {
    signals: &'a Signals,
    bar: Option<RefCell<Search>>,
    saved: Option<PathBuf>,
    fault: RefCell<Option<io::Error>>,
}

impl Watch for Watcher<'_> {
    fn ends(&self) -> bool {
        self.signals.received().load(Ordering::Relaxed)
    }

    fn see(&self, progress: &Progress<'_>) {
        if let Some(bar) = &self.bar {
            bar.borrow_mut().show(progress.iterations, progress.runs, progress.size);
        }
        if let Some(path) = self.saved.as_ref().filter(|_| progress.is_better) {
            let written = progress.best.write(path);
            if let Err(error) = written {
                self.fault.borrow_mut().get_or_insert(error);
            }
        }
    }
}

impl Fit {
    pub(super) fn execute(
        &self,
        catalog: &Catalog,
        console: &mut Console<'_>,
        signals: SignalHandling,
    ) -> io::Result<u8> {
        let [file, others @ ..] = &*self.file else { return Ok(WRONG_INPUT) };
        if let Some(other) = others.first().filter(|_| !self.plan) {
            writeln!(console.err, "{}: several files are compared with --plan", other.display())?;
            return Ok(WRONG_INPUT);
        }
        if self.plan {
            return match PlanReport::of_files(catalog, &self.plan_asked()) {
                Ok(found) => fit_plan::print(&found, self.json, console),
                Err(error) => failed(error, console),
            };
        }
        let opened = Template::open_over(catalog.clone(), file, self.overrides.clone());
        let template = match opened.map_err(|error| FitError::File(FileGradientError::Load(error))) {
            Ok(template) => template,
            Err(error) => return failed(error, console),
        };
        let asked = match in_full(&template, &self.asked()) {
            Ok(asked) => asked,
            Err(error) => return failed(error, console),
        };
        if asked.torques.is_some() {
            let (out, json) = (self.out.as_deref(), self.json);
            return fit_arm::execute(&fit_arm::Asked { file, asked: &asked, out, json }, &template, console);
        }
        if let Some(option) = asked.of_torques() {
            writeln!(console.err, "--{option} is for the fit of an arm: --torques MODEL")?;
            return Ok(WRONG_INPUT);
        }
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let problem = match Problem::new(template, &asked) {
            Ok(problem) => problem,
            Err(error) => return failed(error, console),
        };
        let saved = self.out.as_deref().map(SavedFit::beside);
        if let Err(message) = self.claim(&asked.data, saved.as_deref()) {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        let from = match saved.as_ref().filter(|_| self.resume).map(|path| SavedFit::read(path)).transpose() {
            Ok(from) => from,
            Err(error) => return failed(error, console),
        };
        // Only now, since until here there is nothing to lose.
        let signals = Signals::of(signals)?;
        let bar = console.interactive.then(|| RefCell::new(Search::new()));
        let watcher = Watcher { signals: &signals, bar, saved, fault: RefCell::default() };
        let solved = problem.solve_from(from.as_ref(), &watcher);
        if let Some(bar) = watcher.bar {
            bar.into_inner().end();
        }
        let ended = signals.exit_code();
        signals.release();
        let found = match solved {
            Ok(found) => found,
            Err(error) => return Ok(ended.unwrap_or(failed(error, console)?)),
        };
        if let Some(error) = watcher.fault.into_inner() {
            writeln!(console.err, "note: the search cannot be saved: {error}")?;
        }
        match self.json {
            true => writeln!(console.out, "{:#}", json!(found))?,
            false => table(&found, console)?,
        }
        if let Some(out) = &self.out {
            self.write(&problem, &text, &found, out, console)?;
        }
        if let Some(path) = &self.report {
            match crate::fit::page(&found, problem.name()) {
                Ok(text) => whole_file::write(path, text.as_bytes())?,
                Err(error) => writeln!(console.err, "--report {}: {error}", path.display())?,
            }
        }
        if let Some(path) = watcher.saved.filter(|_| found.converged) {
            let _ = std::fs::remove_file(path);
        }
        Ok(ended.unwrap_or(if found.converged { DONE } else { FAILED }))
    }

    /// The fit that the options ask for.
    fn asked(&self) -> FitAsked {
        let each = self.each.iter().cloned().map(Fitted::of_each);
        FitAsked {
            data: self.data.clone(),
            matches: self.matches.clone(),
            numbers: self.by.iter().cloned().chain(each).collect(),
            noise: self.noise.clone(),
            robust: self.robust,
            until: self.until,
            torques: self.torques.clone(),
            friction: self.friction,
            rotors: self.rotors,
            window: self.window,
        }
    }

    fn plan_asked(&self) -> PlanAsked {
        let (files, overrides, vary) = (self.file.clone(), self.overrides.clone(), self.vary.clone());
        PlanAsked { files, overrides, vary, fit: self.asked() }
    }

    /// Checks the places of what will be written.
    fn claim(&self, data: &[PathBuf], saved: Option<&Path>) -> Result<(), String> {
        let mut outputs = Outputs::new(data.to_vec());
        if let Some(out) = &self.out {
            outputs.claim("--out", out, &OutputFormat::ANY)?;
        }
        if let Some(report) = &self.report {
            outputs.claim("--report", report, &OutputFormat::PAGE)?;
        }
        saved.map_or(Ok(()), |saved| outputs.claim("--out", saved, &OutputFormat::ANY))
    }

    fn write(
        &self,
        problem: &Problem,
        text: &str,
        found: &FitReport,
        out: &Path,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let (written, left) = problem.written(text, found);
        whole_file::write(out, written.as_bytes())?;
        for (path, value) in left {
            let out = out.display();
            writeln!(console.err, "note: {out} has no number at `{path}`: run it with --set {path}={value:?}")?;
        }
        Ok(())
    }
}

fn failed(error: FitError, console: &mut Console<'_>) -> io::Result<u8> {
    match error {
        FitError::File(FileGradientError::Gradient(GradientError::Run(error))) => {
            writeln!(console.err, "the run at the start fails: {error}")?;
            Ok(FAILED)
        }
        FitError::File(error) => gradient::failed(error, console),
        error => {
            writeln!(console.err, "{error}")?;
            Ok(WRONG_INPUT)
        }
    }
}

fn table(found: &FitReport, console: &mut Console<'_>) -> io::Result<()> {
    let out = &mut *console.out;
    let width = found.parameters.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    for one in &found.parameters {
        let is_even = |[low, high]: [f64; 2], half: f64| (high - low - 2.0 * half).abs() < 0.01 * half;
        let interval = match (one.interval, one.range) {
            (Some(half), Some(range)) if is_even(range, half) => format!("+- {half:.1e} (95 %)"),
            (_, Some([low, high])) => format!("from {} to {} (95 %)", short(low), short(high)),
            _ => "not determined".to_owned(),
        };
        let bound = if one.at_bound { ", at its bound" } else { "" };
        writeln!(out, "{:<width$}  {} {interval}{bound}, start {}", one.name, long(one.value), short(one.start))?;
    }
    for one in &found.channels {
        let [before, after] = one.rms.map(short);
        writeln!(
            out,
            "{}: root mean square of {} differences {after}, {before} at the start",
            one.channel, one.samples
        )?;
    }
    for one in &found.undetermined {
        writeln!(out, "the recordings leave this open: {}", one.words())?;
    }
    for (a, b, c) in &found.correlated {
        writeln!(out, "{a} and {b} are known together better than each alone: correlation {c:.3}")?;
    }
    for note in &found.notes {
        writeln!(out, "note: {note}")?;
    }
    let ended = match found.stop {
        Stop::Converged => "",
        Stop::Interrupted => "; stopped before it converged",
        Stop::Iterations | Stop::NoDecrease => "; not converged",
    };
    writeln!(out, "{} iterations, {} runs with derivatives{ended}", found.iterations, found.runs)
}
