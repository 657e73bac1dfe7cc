//! `kinegraph gradient FILE`: derivatives of a run.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::numbers::short;
use super::report;
use crate::files::{Catalog, Override};
use crate::gradient::{FileGradient, FileGradientError, Named};
use crate::simulate::gradient::{Gradient as Found, GradientError, Of};
use crate::sweep::Template;
use clap::Args;
use serde_json::{Value, json};
use std::io;
use std::path::PathBuf;

/// Differentiate a run: how its measures change with parameters and initial states, with errors and ranges
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Gradient {
    /// The diagram file (YAML or JSON)
    file: PathBuf,
    /// Measure that is differentiated: one as of `kinegraph sweep`, e.g. end(plant.arm.joint1.q), or time(EVENT), e.g.
    /// time(touch box ground)
    #[arg(long, value_name = "MEASURE", required = true, value_parser = str::parse::<Of>)]
    of: Vec<Of>,
    /// Number by which is differentiated: a value of the file as of --set, e.g. systems.controller.kp, with its value
    /// where the file has none (PATH=VALUE), or initial(STATE)
    #[arg(long, value_name = "PATH", required = true, value_parser = str::parse::<Named>)]
    by: Vec<Named>,
    /// Simulate until this time [s]
    #[arg(long, value_name = "T", value_parser = time)]
    until: Option<f64>,
    /// The accuracy
    #[arg(long, value_name = "ACCURACY")]
    accuracy: Option<String>,
    /// The integrator
    #[arg(long, value_name = "NAME")]
    integrator: Option<String>,
    /// Replace a value of the file, e.g. systems.controller.kp=100
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    overrides: Vec<Override>,
    /// Make one run only: derivatives without their errors, for a quarter of the time
    #[arg(long)]
    quick: bool,
    /// Compare with differences of runs at a hundredth of the accuracy
    #[arg(long)]
    check: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn time(text: &str) -> Result<f64, String> {
    let time = text.trim().parse::<f64>().ok().filter(|time| time.is_finite() && *time > 0.0);
    time.ok_or_else(|| "expected a time above 0 in seconds".to_owned())
}

impl Gradient {
    pub(super) fn execute(&self, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
        let mut overrides = self.overrides.clone();
        let integrator = self.integrator.iter();
        overrides.extend(integrator.map(|name| Override::flag("--integrator", "simulation.integrator", name)));
        let accuracy = self.accuracy.iter();
        overrides.extend(accuracy.map(|value| Override::flag("--accuracy", "simulation.accuracy", value)));
        let found = Template::open_over(catalog.clone(), &self.file, overrides).map_err(FileGradientError::from);
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        let file = match found.and_then(|template| FileGradient::new(template, &text, &self.by)) {
            Ok(file) => file,
            Err(error) => return failed(error, console),
        };
        let until = self.until.unwrap_or(file.scenario().duration);
        let found = match file.gradient(&self.of, until, !self.quick) {
            Ok(found) => found,
            Err(error) => return failed(error, console),
        };
        let check = if self.check { Some(file.differences(&self.of, until)) } else { None };
        let check = match check.transpose() {
            Ok(check) => check,
            Err(error) => return failed(error, console),
        };
        if self.json {
            writeln!(console.out, "{:#}", as_json(&found, check.as_deref()))?;
        } else {
            table(&found, check.as_deref(), console)?;
        }
        Ok(DONE)
    }
}

fn failed(error: FileGradientError, console: &mut Console<'_>) -> io::Result<u8> {
    match error {
        FileGradientError::Load(error) => {
            report::faults(&error.faults, &error.name, &error.text, console)?;
            Ok(WRONG_INPUT)
        }
        FileGradientError::Gradient(GradientError::Run(error)) => {
            writeln!(console.err, "{error}")?;
            Ok(FAILED)
        }
        error => {
            writeln!(console.err, "{error}")?;
            Ok(WRONG_INPUT)
        }
    }
}

fn table(found: &Found, check: Option<&[f64]>, console: &mut Console<'_>) -> io::Result<()> {
    let out = &mut *console.out;
    for (i, of) in found.of.iter().enumerate() {
        writeln!(out, "{of} = {}", short(found.values[i]))?;
        let width = found.by.iter().map(|by| by.name.chars().count()).max().unwrap_or(0);
        for (j, by) in found.by.iter().enumerate() {
            let derivative = found.get(i, j);
            write!(out, "  d / d {:<width$}  {}", by.name, short(derivative.value))?;
            if derivative.error.is_finite() {
                write!(out, " +- {:.1e}", derivative.error)?;
            }
            if let Some(check) = check {
                write!(out, "  differences: {}", short(check[i * found.by.len() + j]))?;
            }
            let (low, high) = derivative.valid;
            let range = match (low.is_finite(), high.is_finite()) {
                (true, true) => format!("  valid from {} to {}", short(low), short(high)),
                (true, false) => format!("  valid from {}", short(low)),
                (false, true) => format!("  valid to {}", short(high)),
                (false, false) => String::new(),
            };
            writeln!(out, "{range}")?;
        }
    }
    for note in &found.notes {
        let by = note.by.as_ref().map_or(String::new(), |by| format!(" ({by})"));
        writeln!(out, "note: {note}{by}")?;
    }
    Ok(())
}

fn as_json(found: &Found, check: Option<&[f64]>) -> Value {
    let bound = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
    let mut rows = Vec::new();
    for (i, of) in found.of.iter().enumerate() {
        for (j, by) in found.by.iter().enumerate() {
            let derivative = found.get(i, j);
            let mut row = json!({
                "of": of,
                "by": by.name,
                "value": bound(derivative.value),
                "error": bound(derivative.error),
                "valid": [bound(derivative.valid.0), bound(derivative.valid.1)],
            });
            if let Some(check) = check {
                row["differences"] = bound(check[i * found.by.len() + j]);
            }
            rows.push(row);
        }
    }
    let values: Vec<Value> =
        found.of.iter().zip(&found.values).map(|(of, x)| json!({"of": of, "value": bound(*x)})).collect();
    json!({ "gradient": rows, "values": values, "notes": found.notes })
}
