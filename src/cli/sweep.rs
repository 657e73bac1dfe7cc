//! `kinegraph sweep FILE`: runs a diagram file many times, each with other values.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::number_list::NumberList;
use super::numbers::short;
use super::outputs::{OutputFormat, Outputs};
use super::progress::Count;
use super::report;
use super::signals::{SignalHandling, Signals};
use super::verify::accuracies;
use crate::files::words::counted;
use crate::files::{Catalog, GradientBy, Override};
use crate::plot::read_table;
use crate::simulate::gradient::Of;
use crate::sweep::{
    Axis, Derivatives, Jobs, Measure, MeasureError, Results, SampledParameter, Sweep, SweepError, SweepRow, Template,
    columns, keep_runs, kept_files, note_of, run_each, write_csv,
};
use crate::verify::DEFAULT_WITHIN;
use clap::Args;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

/// Run a diagram file many times, each with other values, on all cores; a table of what became of each
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct SweepRuns {
    /// The diagram file (YAML or JSON)
    file: PathBuf,
    /// Values of a parameter: PATH=a,b,c or PATH=from:to:count or PATH=from:to:count:log, with units as in
    /// "PATH=1 kg:3 kg:5"; several options are combined
    #[arg(long, value_name = "PATH=VALUES", value_parser = Axis::parse)]
    vary: Vec<Axis>,
    /// Draw a parameter: PATH=normal(mean,deviation), PATH=uniform(low,high) or PATH=integer(low,high)
    #[arg(long, value_name = "PATH=LAW", value_parser = SampledParameter::parse)]
    sample: Vec<SampledParameter>,
    /// How many draws of each combination; noise has other numbers in each; default: 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// Another seed gives other draws
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Runs at a time; default: one a core
    #[arg(long, value_name = "J")]
    jobs: Option<NonZero<usize>>,
    /// Integrators to combine with everything else
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    integrator: Vec<String>,
    /// Accuracies to combine with everything else: a list, or decades from one to another, e.g. 1e-1..1e-6
    #[arg(long, value_name = "LIST")]
    accuracy: Option<NumberList>,
    /// Replace a value of the file in all runs, e.g. systems.controller.kp=100
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    set: Vec<Override>,
    /// Simulate until this time [s]
    #[arg(long, value_name = "T")]
    until: Option<String>,
    /// Time between samples, of which measures are taken [s]
    #[arg(long, value_name = "DT")]
    every: Option<String>,
    /// Measures of each run: end(CHANNEL), max(…), min(…), peak(…), max_abs(…), mean(…), rms(…), integral(…),
    /// integral_abs(…), energy(…), overshoot(…), rise(…), settling(CHANNEL,BAND), crossing(CHANNEL,VALUE) or
    /// at(CHANNEL,TIME)
    #[arg(long, value_name = "MEASURE", value_parser = str::parse::<Measure>)]
    measure: Vec<Measure>,
    /// Measure of which each run has derivatives: columns with each and the estimate of its error, and one with notes;
    /// also time(EVENT)
    #[arg(long, value_name = "MEASURE", value_parser = str::parse::<Of>)]
    derivative: Vec<Of>,
    /// Number of --derivative, as of `kinegraph gradient`: PATH, PATH=VALUE or initial(STATE); default: those of
    /// the section `gradient` of the file
    #[arg(long, value_name = "PATH", requires = "derivative", value_parser = str::parse::<GradientBy>)]
    by: Vec<GradientBy>,
    /// Write the table to this file (.csv or .jsonl), row by row as runs end: the same command goes on where it was
    /// stopped; without it, rows go to the console
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Which runs are recorded in full (poses, contacts, every attempt at a step, the command that repeats it):
    /// `failures`, those of the numbers `17,23` in the column `index`, or `worst(MEASURE)`, the one with the largest
    /// value of a measure
    #[arg(long, value_name = "WHICH", requires = "out", value_parser = str::parse::<Keep>)]
    keep: Option<Keep>,
    /// Where they are recorded; default: beside the table, in OUT.failures, or OUT.kept where they are chosen
    #[arg(long, value_name = "FOLDER", requires = "keep")]
    keep_in: Option<PathBuf>,
    /// Run each again at a tenth of the accuracy and by a method of another family: columns with the verdict and the
    /// largest difference of the recorded channels, in accuracies
    #[arg(long)]
    verify: bool,
    /// How many accuracies the runs of `--verify` may be apart
    #[arg(long, value_name = "ACCURACIES", requires = "verify", value_parser = accuracies)]
    verify_within: Option<f64>,
    /// Add the wall time of each run as a last column, which is not the same twice
    #[arg(long)]
    wall_time: bool,
    /// Show no progress and no summary
    #[arg(long)]
    quiet: bool,
}

/// Selection of the runs that are recorded in full.
#[derive(Clone, Debug)]
enum Keep {
    Failures,
    /// Runs with these numbers.
    Runs(Vec<u64>),
    /// The run with the largest value of this measure.
    Worst(Measure),
}

impl FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text == "failures" {
            return Ok(Keep::Failures);
        }
        if let Some(measure) = text.strip_prefix("worst(").and_then(|rest| rest.strip_suffix(')')) {
            return Ok(Keep::Worst(measure.parse().map_err(|error: MeasureError| error.to_string())?));
        }
        let runs: Result<Vec<u64>, _> = text.split(',').map(|index| index.trim().parse()).collect();
        let expected = "expected `failures`, numbers of runs such as `17,23`, or `worst(MEASURE)`";
        runs.map(Keep::Runs).map_err(|_| expected.to_owned())
    }
}

impl SweepRuns {
    pub(super) fn execute(
        &self,
        catalog: &Catalog,
        console: &mut Console<'_>,
        signals: SignalHandling,
    ) -> io::Result<u8> {
        let named = [("--until", "simulation.duration", &self.until), ("--every", "record.every", &self.every)];
        let named = named.into_iter().filter_map(|(flag, path, v)| Some(Override::flag(flag, path, v.as_ref()?)));
        let set = self.set.iter().cloned().chain(named).collect();
        let template = match Template::open_over(catalog.clone(), &self.file, set) {
            Ok(template) => template,
            Err(error) => {
                report::faults(&error.faults, &error.name, &error.text, console)?;
                return Ok(WRONG_INPUT);
            }
        };
        let sweep = Sweep {
            vary: self.vary.clone(),
            integrators: self.integrator.clone(),
            accuracies: self.accuracy.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
            sample: self.sample.clone(),
            runs: self.runs.unwrap_or(0),
            seed: self.seed,
            measures: self.measure.clone(),
            requirements: Vec::new(),
            derivatives: Derivatives { of: self.derivative.clone(), by: self.by.clone() },
            verify: self.verify.then_some(self.verify_within.unwrap_or(DEFAULT_WITHIN)),
        };
        let sweep = match sweep.checked(&template) {
            Ok(sweep) => sweep,
            Err(SweepError::NoneBuilds(error)) => {
                report::faults(&error.faults, &error.name, &error.text, console)?;
                return Ok(WRONG_INPUT);
            }
            Err(error) => {
                writeln!(console.err, "{error}")?;
                return Ok(WRONG_INPUT);
            }
        };
        if self.runs.is_none() && !self.sample.is_empty() {
            writeln!(console.err, "note: --sample without --runs draws once; --runs 100 draws a hundred times")?;
        }
        let mut outputs = Outputs::new(template.files_read());
        if let Some(out) = &self.out
            && let Err(message) = claim_rows(&mut outputs, out)
        {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        // Only now, since until here there is nothing to lose.
        let signals = Signals::of(signals)?;
        let code = match &self.out {
            Some(out) => self.to_file(out, &mut outputs, &template, &sweep, &signals, console),
            None => self.to_console(&template, &sweep, &signals, console),
        };
        let ended = signals.exit_code();
        signals.release();
        Ok(ended.unwrap_or(code?))
    }

    fn jobs(&self) -> Jobs {
        self.jobs.map(Jobs).unwrap_or_default()
    }

    fn to_console(
        &self,
        template: &Template,
        sweep: &Sweep,
        signals: &Signals,
        console: &mut Console<'_>,
    ) -> io::Result<u8> {
        let columns = columns(sweep);
        write_csv(console.out, &columns, None)?;
        let out = &mut *console.out;
        let keep = |row: SweepRow| write_csv(out, &columns, Some(&row));
        match run_each(template, sweep, self.jobs(), signals.received(), &|_| true, keep) {
            Ok(()) => Ok(DONE),
            Err(SweepError::Rows(error)) => Err(error),
            Err(error) => {
                writeln!(console.err, "{error}")?;
                Ok(FAILED)
            }
        }
    }

    fn to_file(
        &self,
        out: &Path,
        outputs: &mut Outputs,
        template: &Template,
        sweep: &Sweep,
        signals: &Signals,
        console: &mut Console<'_>,
    ) -> io::Result<u8> {
        let mut results = match Results::open(out, template, sweep, self.wall_time) {
            Ok(results) => results,
            Err(error) => {
                writeln!(console.err, "--out {error}")?;
                return Ok(WRONG_INPUT);
            }
        };
        let (all, before) = (sweep.len(), results.len());
        let watched = console.interactive && !self.quiet;
        if before > 0 && before < all && !self.quiet {
            writeln!(console.err, "{before} of {all} runs are in {} already", out.display())?;
        }
        let started = Instant::now();
        let mut bar = watched.then(|| Count::new(all, before));
        let there = results.indices().clone();
        let ended =
            run_each(template, sweep, self.jobs(), signals.received(), &|index| !there.contains(&index), |row| {
                results.add(&row)?;
                if let Some(bar) = &mut bar {
                    bar.one_more(results.failed().len());
                }
                Ok(())
            });
        if let Some(bar) = bar {
            bar.end();
        }
        if let Err(error) = ended {
            writeln!(console.err, "--out {error}")?;
            return Ok(FAILED);
        }
        let (there, failed) = (results.len(), results.failed().len());
        if there < all {
            writeln!(
                console.err,
                "stopped: {there} of {all} runs are in {}; the same command goes on from there",
                out.display()
            )?;
            return Ok(FAILED);
        }
        if !self.quiet {
            let took = short(started.elapsed().as_secs_f64());
            let now = there - before;
            writeln!(
                console.out,
                "{}, {failed} failed: {} ({now} now, in {took} s)",
                counted(all as usize, "run"),
                out.display()
            )?;
        }
        let kept = match self.kept(out, sweep, &results) {
            Ok(kept) => kept,
            Err(message) => {
                writeln!(console.err, "--keep {message}")?;
                return Ok(FAILED);
            }
        };
        if kept.is_empty() {
            return Ok(DONE);
        }
        if let Err(message) = self.claim_kept(out, &kept, outputs) {
            writeln!(console.err, "{message}")?;
            return Ok(FAILED);
        }
        self.keep(out, template, sweep, &kept, signals, console)
    }

    /// Indices of the runs that are recorded in full.
    fn kept(&self, out: &Path, sweep: &Sweep, results: &Results) -> Result<Vec<u64>, String> {
        match &self.keep {
            None => Ok(Vec::new()),
            Some(Keep::Failures) => Ok(results.failed().to_vec()),
            Some(Keep::Runs(runs)) => match runs.iter().find(|run| **run >= sweep.len()) {
                Some(run) => Err(format!("{run}: the runs have the numbers 0 to {}", sweep.len() - 1)),
                None => Ok(runs.clone()),
            },
            Some(Keep::Worst(measure)) => {
                let table = read_table(out).map_err(|error| format!("worst({measure}): {}: {error}", out.display()))?;
                let column = |name: &str| table.plot.series.iter().find(|series| series.name == name);
                let (Some(indices), Some(values)) = (column("index"), column(&measure.to_string())) else {
                    let measured = sweep.measures.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                    return Err(format!(
                        "worst({measure}): no run has this measure; measured (`--measure`): {}",
                        if measured.is_empty() { "nothing" } else { &measured }
                    ));
                };
                let rows = indices.values.iter().zip(&values.values).filter(|(_, value)| value.is_finite());
                Ok(rows.max_by(|a, b| a.1.total_cmp(b.1)).map(|(index, _)| *index as u64).into_iter().collect())
            }
        }
    }

    /// Folder of the full recordings.
    fn folder_of_kept(&self, out: &Path) -> PathBuf {
        let ending = if matches!(self.keep, Some(Keep::Failures)) { "failures" } else { "kept" };
        self.keep_in.clone().unwrap_or_else(|| out.with_extension(ending))
    }

    /// Claims the existing files of these runs.
    fn claim_kept(&self, out: &Path, runs: &[u64], outputs: &mut Outputs) -> Result<(), String> {
        let folder = self.folder_of_kept(out);
        let mut files = runs.iter().flat_map(|index| kept_files(&folder, *index));
        files.try_for_each(|file| match file.exists() {
            true => outputs.claim("--keep-in", &file, &OutputFormat::ANY),
            false => Ok(()),
        })
    }

    fn keep(
        &self,
        out: &Path,
        template: &Template,
        sweep: &Sweep,
        runs: &[u64],
        signals: &Signals,
        console: &mut Console<'_>,
    ) -> io::Result<u8> {
        let folder = self.folder_of_kept(out);
        match keep_runs(template, sweep, runs, &folder, self.jobs(), signals.received()) {
            Ok(kept) => {
                if !self.quiet {
                    writeln!(console.out, "{kept} of them recorded in {}", folder.display())?;
                }
                Ok(DONE)
            }
            Err(error) => {
                writeln!(console.err, "--keep-in {}: {error}", folder.display())?;
                Ok(FAILED)
            }
        }
    }
}

/// Claims the table and the file next to it that identifies its sweep.
fn claim_rows(outputs: &mut Outputs, out: &Path) -> Result<(), String> {
    outputs.claim("--out", out, &OutputFormat::SWEEP)?;
    outputs.claim("--out", &note_of(out), &OutputFormat::ANY)
}
