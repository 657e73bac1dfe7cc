//! `kinegraph fit FILE`: parameters from recordings.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::numbers::short;
use super::report;
use crate::files::{Catalog, Override, with_numbers};
use crate::fit::{Fit as Problem, FitError, FitReport, Fitted, Match};
use crate::gradient::{FileGradientError, Named};
use crate::simulate::gradient::GradientError;
use crate::sweep::Template;
use crate::whole_file;
use clap::Args;
use serde_json::json;
use std::io;
use std::path::PathBuf;

/// Fit parameters to recordings: values with intervals, and what the recordings leave open
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Fit {
    /// The diagram file (YAML or JSON)
    file: PathBuf,
    /// A recording (.csv, .jsonl or .mcap) with a column of times; several are fitted together
    #[arg(long, value_name = "FILE", required = true)]
    data: Vec<PathBuf>,
    /// A channel, and the column that it is compared with where that has another name; default: all columns that are
    /// channels
    #[arg(long = "match", value_name = "CHANNEL=COLUMN", value_parser = str::parse::<Match>)]
    matches: Vec<Match>,
    /// Number to be fitted: a value of the file as of --set, or initial(STATE); with bounds, and a start in place of
    /// the value of the file: parameters.m, parameters.m=0.1:5 or parameters.m=0.1:1:5
    #[arg(long, value_name = "PATH=LOW:HIGH", required = true, value_parser = str::parse::<Fitted>)]
    by: Vec<Fitted>,
    /// Standard deviation of the noise in all channels (default: that of the residuals of each)
    #[arg(long, value_name = "DEVIATION", value_parser = deviation)]
    noise: Option<f64>,
    /// Let single samples that are far off count little
    #[arg(long)]
    robust: bool,
    /// Replace a value of the file, e.g. systems.controller.kp=100
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    overrides: Vec<Override>,
    /// Write the file with the fitted values to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn deviation(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a standard deviation above 0, in the unit of the channels".to_owned())
}

impl Fit {
    pub(super) fn execute(&self, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
        let opened = Template::open_over(catalog.clone(), &self.file, self.overrides.clone());
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        let problem = opened
            .map_err(|error| FitError::File(FileGradientError::Load(error)))
            .and_then(|template| Problem::new(template, &text, self.by.clone(), self.matches.clone(), &self.data));
        let solved = problem.and_then(|problem| problem.with_noise(self.noise).robust(self.robust).solve());
        let found = match solved {
            Ok(found) => found,
            Err(error) => return failed(error, console),
        };
        if self.json {
            writeln!(console.out, "{:#}", json!(found))?;
        } else {
            table(&found, console)?;
        }
        if let Some(out) = &self.out {
            let path = |(fitted, number): (&Fitted, f64)| match &fitted.number {
                Named::Path(path, _) => Some((path.clone(), number)),
                Named::Initial(_) => None,
            };
            let values: Vec<(String, f64)> =
                self.by.iter().zip(found.parameters.iter().map(|one| one.value)).filter_map(path).collect();
            let (written, left) = with_numbers(&text, &values);
            whole_file::write(out, written.as_bytes())?;
            for (path, value) in left {
                writeln!(
                    console.err,
                    "note: {} has no number at `{path}`: run it with --set {path}={value:?}",
                    out.display()
                )?;
            }
        }
        Ok(if found.converged { DONE } else { FAILED })
    }
}

fn failed(error: FitError, console: &mut Console<'_>) -> io::Result<u8> {
    match error {
        FitError::File(FileGradientError::Load(error)) => {
            report::faults(&error.faults, &error.name, &error.text, console)?;
            Ok(WRONG_INPUT)
        }
        FitError::File(FileGradientError::Gradient(GradientError::Run(error))) => {
            writeln!(console.err, "the run at the start fails: {error}")?;
            Ok(FAILED)
        }
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
        let interval = one.interval.map_or("not determined".to_owned(), |half| format!("+- {half:.1e} (95 %)"));
        let bound = if one.at_bound { ", at its bound" } else { "" };
        writeln!(out, "{:<width$}  {} {interval}{bound}  from {}", one.name, long(one.value), short(one.start))?;
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
    let ended = if found.converged { "" } else { "; not converged" };
    writeln!(out, "{} iterations, {} runs with derivatives{ended}", found.iterations, found.runs)
}

/// Number with seven digits.
fn long(x: f64) -> String {
    let rounded: f64 = format!("{x:.6e}").parse().unwrap_or(x);
    crate::files::node::show_number(rounded)
}
