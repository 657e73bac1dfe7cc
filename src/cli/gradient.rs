//! `kinegraph gradient FILE`: derivatives of a run.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::numbers::short;
use super::output::cannot_write;
use super::outputs::{OutputFormat, Outputs};
use super::report;
use crate::files::{Catalog, Override};
use crate::gradient::{FileGradient, FileGradientError, FoundGradient, Named};
use crate::plot::draw;
use crate::scenario::GradientAsked;
use crate::simulate::gradient::{By, Gradient as Found, GradientError, Of};
use crate::sweep::{Template, Variation};
use crate::whole_file;
use clap::Args;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};

/// Differentiate a run: how its measures change with parameters and initial states, with errors and ranges
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Gradient {
    /// The diagram file (YAML or JSON); its section `gradient` says what is differentiated where no option does
    file: PathBuf,
    /// Measure that is differentiated: one as of `kinegraph sweep`, e.g. end(plant.arm.joint1.q), or time(EVENT), e.g.
    /// time(touch box ground)
    #[arg(long, value_name = "MEASURE", value_parser = str::parse::<Of>)]
    of: Vec<Of>,
    /// Number by which is differentiated: a value of the file as of --set, e.g. systems.controller.kp, with its value
    /// where the file has none (PATH=VALUE), or initial(STATE)
    #[arg(long, value_name = "PATH", value_parser = str::parse::<Named>)]
    by: Vec<Named>,
    /// Channels that are differentiated over time, or what stands for several (plant.arm), separated by commas
    #[arg(long, value_name = "CHANNELS", value_delimiter = ',')]
    over_time: Vec<String>,
    /// Write the channels over time with their derivatives to this file: a table (.csv), which `kinegraph plot` draws,
    /// or a plot (.svg, .png)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Time between the samples of --over-time [s]
    #[arg(long, value_name = "DT")]
    every: Option<String>,
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

pub(super) fn time(text: &str) -> Result<f64, String> {
    let time = text.trim().parse::<f64>().ok().filter(|time| time.is_finite() && *time > 0.0);
    time.ok_or_else(|| "expected a time above 0 in seconds".to_owned())
}

impl Gradient {
    pub(super) fn execute(&self, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
        let mut overrides = self.overrides.clone();
        let named = [
            ("--integrator", "simulation.integrator", &self.integrator),
            ("--accuracy", "simulation.accuracy", &self.accuracy),
            ("--every", "record.every", &self.every),
        ];
        let named = named.into_iter().filter_map(|(flag, path, v)| Some(Override::flag(flag, path, v.as_ref()?)));
        overrides.extend(named);
        let asked = GradientAsked {
            of: self.of.clone(),
            by: self.by.clone(),
            over_time: self.over_time.clone(),
            until: self.until,
        };
        let template = match Template::open_over(catalog.clone(), &self.file, overrides) {
            Ok(template) => template,
            Err(error) => return failed(error.into(), console),
        };
        let file = match FileGradient::new(&template, &Variation::default(), &asked) {
            Ok(file) => file,
            Err(error) => return failed(error, console),
        };
        if let Some(out) = &self.out
            && let Err(message) = claim(out, &template, &file)
        {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        let found = match file.gradient(!self.quick) {
            Ok(found) => found,
            Err(error) => return failed(error, console),
        };
        let check = if self.check { Some(file.differences()) } else { None };
        let check = match check.transpose() {
            Ok(check) => check,
            Err(error) => return failed(error, console),
        };
        if self.json {
            writeln!(console.out, "{:#}", as_json(&found, check.as_deref()))?;
        } else {
            table(&found, self.out.as_deref(), check.as_deref(), console)?;
        }
        if let Some(out) = &self.out
            && let Err(message) = write(&found, out, &self.file)
        {
            writeln!(console.err, "{message}")?;
            return Ok(FAILED);
        }
        Ok(DONE)
    }
}

/// Checks before the run that the table or the plot can be written.
fn claim(out: &Path, template: &Template, file: &FileGradient) -> Result<(), String> {
    if !file.has_series() {
        let out = out.display();
        return Err(format!("--out {out}: it is for channels over time: name them, as in --over-time plant.arm"));
    }
    Outputs::new(template.files_read()).claim("--out", out, &OutputFormat::SERIES)
}

/// Writes channels over time, with their derivatives.
fn write(found: &FoundGradient, out: &Path, file: &Path) -> Result<(), String> {
    let is_table = out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let written = if is_table {
        found.csv().and_then(|table| whole_file::write(out, &table))
    } else {
        let title = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        draw(&found.plot(&title), out).map_err(io::Error::other)
    };
    written.map_err(|error| cannot_write("--out", out, &error))
}

pub(super) fn failed(error: FileGradientError, console: &mut Console<'_>) -> io::Result<u8> {
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

fn table(
    found: &FoundGradient,
    out: Option<&Path>,
    check: Option<&[f64]>,
    console: &mut Console<'_>,
) -> io::Result<()> {
    let FoundGradient { gradient, times, over_time } = found;
    derivatives(gradient, check, console)?;
    for channel in over_time {
        writeln!(console.out, "{} at {} times", channel.name, times.len())?;
        for (by, values) in gradient.by.iter().zip(&channel.derivatives) {
            let known = || times.iter().zip(values).filter(|(_, value)| value.is_finite());
            let largest = known().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            let largest = largest.map_or_else(String::new, |(time, value)| {
                format!("  {} at {} s, the largest", short(*value), short(*time))
            });
            writeln!(console.out, "  d / d {}{largest}", by.name)?;
        }
    }
    if !over_time.is_empty() && out.is_none() {
        writeln!(
            console.err,
            "note: --out derivative.csv or .svg writes what is differentiated over time, --json prints it"
        )?;
    }
    for (j, by) in gradient.by.iter().enumerate() {
        let slopes = (0..gradient.of.len()).map(|i| gradient.get(i, j).value);
        let series = over_time.iter().flat_map(|channel| channel.derivatives[j].iter().copied());
        if !by.is_initial() && slopes.chain(series).all(|slope| slope == 0.0) {
            writeln!(console.out, "note: nothing that is asked changes with {}", by.name)?;
        }
    }
    for note in &gradient.notes {
        let by = note.by.as_ref().map_or(String::new(), |by| format!(" ({by})"));
        writeln!(console.out, "note: {note}{by}")?;
    }
    Ok(())
}

fn derivatives(found: &Found, check: Option<&[f64]>, console: &mut Console<'_>) -> io::Result<()> {
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
    Ok(())
}

fn as_json(found: &FoundGradient, check: Option<&[f64]>) -> Value {
    let FoundGradient { gradient: found, times, over_time } = found;
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
    let mut all = json!({ "gradient": rows, "values": values, "notes": found.notes });
    if !over_time.is_empty() {
        let numbers = |values: &[f64]| values.iter().map(|x| bound(*x)).collect::<Value>();
        let mut channels = Vec::new();
        for channel in over_time {
            let derivative = |(i, by): (usize, &By)| {
                let errors = channel.errors.get(i).map(|errors| numbers(errors));
                json!({ "by": by.name, "values": numbers(&channel.derivatives[i]), "errors": errors })
            };
            let derivatives: Vec<Value> = found.by.iter().enumerate().map(derivative).collect();
            let values = numbers(&channel.values);
            channels.push(json!({
                "channel": channel.name, "unit": channel.unit, "values": values, "derivatives": derivatives,
            }));
        }
        all["over_time"] = json!({ "times": times, "channels": channels });
    }
    all
}
