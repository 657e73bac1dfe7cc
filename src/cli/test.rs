//! `kinegraph test FILE…`: runs diagrams and judges them by their requirements.

use super::console::{Console, DONE, FAILED, VIOLATED, WRONG_INPUT};
use super::junit;
use super::output::cannot_write;
use super::outputs::{OutputFormat, Outputs};
use super::report;
use super::test_files;
use crate::files::words::counted;
use crate::files::{Catalog, LoadError, Override};
use crate::simulate::{RequirementReport, all_met};
use crate::sweep::{Jobs, SampledParameter, Sweep, SweepError, SweepRow, Template, run_variation};
use crate::whole_file;
use clap::Args;
use std::io;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Run diagram files and judge each by its requirements: a line a file, exit code 3 if one is violated
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Test {
    /// Diagram files, or folders: of these, all files with `requirements`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Runs at a time; default: one a core
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Write the results to this file in the format of JUnit (.xml)
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Run each file this often, with other noise and other values of `--sample` each time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    draws: Option<u64>,
    /// Another seed gives other draws
    #[arg(long, value_name = "S", default_value_t = 0, requires = "draws")]
    seed: u64,
    /// Draw a parameter: PATH=normal(mean,deviation), PATH=uniform(low,high) or PATH=integer(low,high)
    #[arg(long, value_name = "PATH=LAW", value_parser = SampledParameter::parse, requires = "draws")]
    sample: Vec<SampledParameter>,
    /// Replace a value of all files, e.g. simulation.accuracy=1e-5
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    set: Vec<Override>,
    /// Print no line for a file that meets its requirements
    #[arg(long)]
    quiet: bool,
}

/// Result of a file.
pub(super) struct FileResult {
    pub file: PathBuf,
    pub outcome: Outcome,
}

/// Outcome of a file.
pub(super) enum Outcome {
    /// Faults of a file that cannot be run.
    Wrong(String),
    /// Runs of the file.
    Ran(Vec<RunResult>),
}

/// One run of a file.
pub(super) struct RunResult {
    pub row: SweepRow,
    /// Command that makes the run again.
    pub command: String,
    /// True if there are several.
    pub is_draw: bool,
}

/// Grade of a result; the worst of all files counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Met,
    Violated,
    Failed,
    Wrong,
}

impl Grade {
    const ALL: [(Grade, &str, u8); 4] = [
        (Grade::Met, "met", DONE),
        (Grade::Violated, "violated", VIOLATED),
        (Grade::Failed, "failed", FAILED),
        (Grade::Wrong, "wrong", WRONG_INPUT),
    ];

    fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    fn code(self) -> u8 {
        Self::ALL[self as usize].2
    }
}

/// A file that is ready to run.
struct Prepared {
    template: Template,
    sweep: Sweep,
}

impl RunResult {
    fn grade(&self) -> Grade {
        match () {
            () if self.row.status.starts_with("refused") => Grade::Wrong,
            () if !self.row.is_done() => Grade::Failed,
            () if all_met(&self.row.requirements) => Grade::Met,
            () => Grade::Violated,
        }
    }

    /// Text such as `draw 17 (seed 42): `.
    pub fn draw_text(&self) -> String {
        match self.row.variation.seed.filter(|_| self.is_draw) {
            Some(seed) => format!("draw {} (seed {seed}): ", self.row.variation.index),
            None => String::new(),
        }
    }
}

impl FileResult {
    fn grade(&self) -> Grade {
        match &self.outcome {
            Outcome::Wrong(_) => Grade::Wrong,
            Outcome::Ran(runs) => runs.iter().map(RunResult::grade).max().unwrap_or(Grade::Met),
        }
    }
}

impl Test {
    pub(super) fn execute(&self, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
        let found = match test_files::find(&self.files) {
            Ok(found) => found,
            Err(message) => {
                writeln!(console.err, "{message}")?;
                return Ok(WRONG_INPUT);
            }
        };
        let mut outputs = Outputs::new(found.files.clone());
        if let Some(junit) = &self.junit
            && let Err(message) = outputs.claim("--junit", junit, &OutputFormat::JUNIT)
        {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        let mut prepared = Vec::with_capacity(found.files.len());
        for file in &found.files {
            prepared.push(match self.prepare(catalog, file) {
                Ok(ready) => Ok(ready),
                Err(Refusal::Faults(error)) => {
                    report::faults(&error.faults, &error.name, &error.text, console)?;
                    Err(error.to_string())
                }
                Err(Refusal::Message(message)) => {
                    writeln!(console.err, "{message}")?;
                    Err(message)
                }
            });
        }
        let results = self.run(&found.files, prepared);
        for result in &results {
            self.report(result, console)?;
        }
        self.sum_up(&results, found.without, console)?;
        let grade = results.iter().map(FileResult::grade).max().unwrap_or(Grade::Met);
        let mut code = grade.code();
        if let Some(file) = &self.junit {
            let written = junit::report(&results).map_err(io::Error::other);
            if let Err(error) = written.and_then(|text| whole_file::write(file, text.as_bytes())) {
                writeln!(console.err, "{}", cannot_write("--junit", file, &error))?;
                code = if code == DONE { FAILED } else { code };
            }
        }
        Ok(code)
    }

    fn prepare(&self, catalog: &Catalog, file: &std::path::Path) -> Result<Prepared, Refusal> {
        let template = Template::open_over(catalog.clone(), file, self.set.clone()).map_err(Refusal::Faults)?;
        let sweep =
            Sweep { sample: self.sample.clone(), runs: self.draws.unwrap_or(0), seed: self.seed, ..Sweep::default() };
        let mut sweep = match sweep.checked(&template) {
            Ok(sweep) => sweep,
            Err(SweepError::NoneBuilds(error)) => return Err(Refusal::Faults(error)),
            Err(error) => return Err(Refusal::Message(format!("{}: {error}", file.display()))),
        };
        if sweep.requirements.is_empty() {
            let help = "add `requirements`, such as `{small: {channel: plant.cart.x.q, max: 1.1}}`";
            return Err(Refusal::Message(format!("{}: nothing is asked of it: {help}", file.display())));
        }
        // Without anything random all draws are one.
        if self.sample.is_empty() && self.draws.is_some() && !template.is_random() {
            sweep.runs = 0;
        }
        Ok(Prepared { template, sweep })
    }

    /// Runs everything, several runs at a time. What is returned does not depend on their number.
    fn run(&self, files: &[PathBuf], prepared: Vec<Result<Prepared, String>>) -> Vec<FileResult> {
        let ready = prepared.iter().enumerate().filter_map(|(i, one)| Some((i, one.as_ref().ok()?)));
        let tasks: Vec<(usize, u64)> = ready.flat_map(|(i, one)| (0..one.sweep.len()).map(move |k| (i, k))).collect();
        let done: Vec<Mutex<Option<RunResult>>> = tasks.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let jobs = self.jobs.map(Jobs).unwrap_or_default().of(tasks.len() as u64);
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&(file, index)) = tasks.get(at) else { return };
                        let Some(Ok(Prepared { template, sweep })) = prepared.get(file) else { continue };
                        let Some(variation) = sweep.variation(index) else { continue };
                        let row = run_variation(template, &variation, &[]);
                        let (command, is_draw) = (template.command(&variation), sweep.runs > 0);
                        let result = RunResult { row, command, is_draw };
                        *done[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                    }
                });
            }
        });
        let mut runs: Vec<Vec<RunResult>> = files.iter().map(|_| Vec::new()).collect();
        for ((file, _), result) in tasks.iter().zip(done) {
            runs[*file].extend(result.into_inner().unwrap_or_else(PoisonError::into_inner));
        }
        let outcomes = prepared.into_iter().zip(runs).map(|(one, runs)| match one {
            Ok(_) => Outcome::Ran(runs),
            Err(faults) => Outcome::Wrong(faults),
        });
        files.iter().cloned().zip(outcomes).map(|(file, outcome)| FileResult { file, outcome }).collect()
    }

    /// Prints the line of a file, and how its worst run is made again.
    fn report(&self, result: &FileResult, console: &mut Console<'_>) -> io::Result<()> {
        let grade = result.grade();
        if self.quiet && grade == Grade::Met {
            return Ok(());
        }
        let (name, file) = (grade.name(), result.file.display());
        let Outcome::Ran(runs) = &result.outcome else {
            return writeln!(console.out, "{name:<8}  {file}: it has faults");
        };
        let bad: Vec<&RunResult> = runs.iter().filter(|run| run.grade() != Grade::Met).collect();
        let Some(first) = bad.iter().copied().find(|run| run.grade() == grade) else {
            return writeln!(console.out, "{name:<8}  {file}: {}", met(runs));
        };
        let count = if first.is_draw { format!("{} of {} draws, ", bad.len(), runs.len()) } else { String::new() };
        let what = match grade {
            Grade::Violated => {
                let unmet = first.row.requirements.iter().filter(|one| !one.is_met());
                unmet.map(|one| format!("{} {one}", one.name)).collect::<Vec<_>>().join("; ")
            }
            _ => first.row.status.clone(),
        };
        writeln!(console.out, "{name:<8}  {file}: {count}{}{what}", first.draw_text())?;
        if first.is_draw {
            writeln!(console.out, "          again: {}", first.command)?;
        }
        Ok(())
    }

    fn sum_up(&self, results: &[FileResult], without: usize, console: &mut Console<'_>) -> io::Result<()> {
        let count = |grade: Grade| results.iter().filter(|result| result.grade() == grade).count();
        let parts: Vec<String> = Grade::ALL
            .iter()
            .map(|(grade, name, _)| (count(*grade), name))
            .filter(|(count, name)| *count > 0 || **name == "met")
            .map(|(count, name)| format!("{count} {name}"))
            .collect();
        let without = match without {
            0 => String::new(),
            count => format!(" ({} without requirements left out)", counted(count, "file")),
        };
        writeln!(console.out, "{}: {}{without}", counted(results.len(), "file"), parts.join(", "))
    }
}

/// Reason why a file is not run.
enum Refusal {
    Faults(LoadError),
    Message(String),
}

/// Number of requirements that are met and of draws, and the margin of a single one.
fn met(runs: &[RunResult]) -> String {
    let Some(first) = runs.first() else { return "no runs".into() };
    let requirements = counted(first.row.requirements.len(), "requirement");
    let draws = if first.is_draw { format!(" in {}", counted(runs.len(), "draw")) } else { String::new() };
    let text = |one: &RequirementReport| Some(format!("; {} with margin {}", one.name, one.margin_text()?));
    // Margins of several requirements have several units, so only a single one is reported.
    let margin = match &first.row.requirements[..] {
        [only] if !first.is_draw => text(only).unwrap_or_default(),
        _ => String::new(),
    };
    format!("{requirements}{draws}{margin}")
}
