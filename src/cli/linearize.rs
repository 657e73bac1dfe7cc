//! `kinegraph linearize FILE`: A, B, C, D and poles of a diagram.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::linear_file;
use super::linear_tables::{notes, show_equilibria, show_margins, show_measured, show_peak_gain, summarize};
use super::output::cannot_write;
use super::outputs::{OutputFormat, Outputs};
use super::root_locus::{self, RootLocusOption};
use super::scenario;
use crate::files::{Catalog, Override, in_one_unit, number_in, with_unit};
use crate::linearize::state_space::{Bound, LinearContact, LinearizePorts, Period, TrimOptions};
use crate::plot;
use crate::scenario::Simulator;
use crate::simulate::{
    LinearizeError, LinearizeReport, LinearizeRequest, MeasureRequest, ResponseRequest, StepRequest, WrittenUnit,
};
use crate::systems::unit::Unit;
use crate::whole_file;
use clap::Args;
use kinegraph_systems::names::{did_you_mean, nearest};
use std::io;
use std::path::PathBuf;

/// Linearize a diagram file: A, B, C, D with names, and poles
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Linearize {
    /// The diagram file (YAML or JSON)
    file: PathBuf,
    /// Simulate until this time [s] first, e.g. 2 or "500 ms"
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = time)]
    at: f64,
    /// An input port to disturb, e.g. plant.arm.actuation; its loops stay closed
    #[arg(long = "input", value_name = "PATH")]
    inputs: Vec<String>,
    /// A connected input port to cut off and use as input, which opens its loops
    #[arg(long = "cut", value_name = "PATH")]
    cuts: Vec<String>,
    /// An output port or channel, e.g. plant.arm.state
    #[arg(long = "output", value_name = "PATH")]
    outputs: Vec<String>,
    /// Move to the nearest equilibrium first
    #[arg(long)]
    trim: bool,
    /// A state that keeps its value in the search for an equilibrium, e.g. plant.arm.joint1.q
    #[arg(long = "hold", value_name = "STATE")]
    hold: Vec<String>,
    /// Let the search for an equilibrium choose the inputs, too
    #[arg(long)]
    free_inputs: bool,
    /// Bounds of a state or of an input in the search for an equilibrium, e.g. plant.arm.actuation=-10:10 or
    /// "plant.arm.joint1.q=-20 deg:20 deg"; a bounded input is chosen by the search
    #[arg(long = "bound", value_name = "NAME=LOW:HIGH", value_parser = bound)]
    bounds: Vec<WithUnit<Bound>>,
    /// Look for several equilibria from this many random starts, and list them, the nearest first; the model is made
    /// there
    #[arg(long, value_name = "STARTS", conflicts_with = "sampled")]
    trim_all: Option<usize>,
    /// Seed of the random starts
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "trim_all")]
    seed: u64,
    /// Treatment of contacts: `law` takes the derivatives of their forces, with regularized friction; `hold` makes
    /// constraints of what sticks and keeps the states of the motion that is left; `none` leaves out contacts and joint
    /// stops
    #[arg(long, value_name = "law|hold|none", default_value = "law", value_parser = contact)]
    contact: LinearContact,
    /// Leave contacts and joint stops out, as `--contact none` does
    #[arg(long, conflicts_with = "contact")]
    without_contact: bool,
    /// Write the linear model to this file as a diagram of one state_space block, to be used in other diagrams
    #[arg(short = 'o', long = "model", value_name = "FILE")]
    model: Option<PathBuf>,
    /// Save the operating point to this file, for `kinegraph run FILE --resume` (JSON if it ends in .json, else binary)
    #[arg(long, value_name = "FILE")]
    snapshot: Option<PathBuf>,
    /// Replace a value of the file, e.g. systems.controller.kp=100
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    overrides: Vec<Override>,
    /// Print gain, phase and delay margins of the loop that negative feedback closes from the output to the input, and
    /// the peak of its sensitivity; a loop cut open at its input counts with the sign that it has
    #[arg(long)]
    margins: bool,
    /// Draw the frequency responses, exact through delays, into this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    bode: Option<PathBuf>,
    /// Draw the loop in the complex plane, with the point -1, into this file (.svg or .png)
    #[arg(long, value_name = "FILE")]
    nyquist: Option<PathBuf>,
    /// Range of angular frequencies [rad/s], e.g. 0.1:100 (default: around the poles)
    #[arg(long, value_name = "FROM:TO", value_parser = frequencies)]
    frequencies: Option<(f64, f64)>,
    /// Make a model in discrete time with all sampled blocks in it, over their common period, or over the period T [s];
    /// inputs are held over a period
    #[arg(long, value_name = "T", num_args = 0..=1, value_parser = period)]
    sampled: Option<Option<f64>>,
    /// Leave out the states that no input moves or no output shows, to this tolerance relative to the model
    #[arg(long, value_name = "TOLERANCE", num_args = 0..=1, default_missing_value = "1e-9", value_parser = tolerance)]
    minimal: Option<f64>,
    /// Reduce the model to this many states by balanced truncation, and print its Hankel singular values
    #[arg(long, value_name = "STATES")]
    reduce: Option<usize>,
    /// Draw the outputs after a unit step of each input into this file (.svg or .png), exact through delays
    #[arg(long, value_name = "FILE")]
    step: Option<PathBuf>,
    /// Duration of step responses [s] (default: until the slowest part has decayed)
    #[arg(long, value_name = "T", value_parser = period, requires = "step")]
    step_duration: Option<f64>,
    /// Poles over a value of the file, and the values at which they cross the edge of stability, e.g.
    /// systems.pid.kp=0:100 or systems.pid.kp=0:100:81; with a second word drawn into that file (.svg or .png)
    #[arg(long, value_names = ["PATH=FROM:TO[:N]", "FILE"], num_args = 1..=2)]
    root_locus: Vec<String>,
    /// Measure the response by sines on the diagram itself at N frequencies [rad/s], beside that of the model; --bode
    /// shows both
    #[arg(long, value_name = "FROM:TO[:N]", value_parser = measured, conflicts_with = "sampled")]
    measure: Option<((f64, f64), usize)>,
    /// Amplitude of the sine, in the unit of the input or with its own, e.g. "5 mN m" (default: 0.001)
    #[arg(long, value_name = "A", value_parser = amplitude, requires = "measure")]
    amplitude: Option<WithUnit<f64>>,
    /// Periods before a measurement (default: until the slowest part of the model has decayed)
    #[arg(long, value_name = "PERIODS", requires = "measure")]
    settle: Option<u32>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

/// Amplitude of a sine if none is asked for: small where numbers of the diagram are of the size of one.
const AMPLITUDE: f64 = 1e-3;

fn frequencies(text: &str) -> Result<(f64, f64), String> {
    let example = "expected two angular frequencies above 0 [rad/s], the lower one first, e.g. 0.1:100";
    frequency_range(text)?.ok_or_else(|| example.to_owned())
}

/// Two angular frequencies above 0, the lower one first; `None` if they are not.
fn frequency_range(text: &str) -> Result<Option<(f64, f64)>, String> {
    let Some((from, to)) = text.split_once(':') else { return Ok(None) };
    let range = (number_in(from, "rad/s")?, number_in(to, "rad/s")?);
    Ok(Some(range).filter(|(from, to)| *from > 0.0 && from < to && to.is_finite()))
}

fn period(text: &str) -> Result<f64, String> {
    match number_in(text, "s") {
        Ok(period) if period.is_finite() && period > 0.0 => Ok(period),
        Err(reason) if with_unit(text).is_some() => Err(reason),
        _ => Err("expected a period above 0 in seconds, e.g. 0.01, or none for that of the sampled blocks \
                  (`--sampled` behind FILE or before another option)"
            .into()),
    }
}

/// A value in SI units, and the unit that it was written with.
#[derive(Clone, Debug)]
struct WithUnit<T> {
    value: T,
    unit: Option<Unit>,
}

fn bound(text: &str) -> Result<WithUnit<Bound>, String> {
    const EXAMPLE: &str = "expected NAME=LOW:HIGH, the lower one first, e.g. plant.arm.actuation=-10:10 or \
                           \"plant.arm.joint1.q=-20 deg:20 deg\"";
    let (name, range) = text.split_once('=').ok_or(EXAMPLE)?;
    let (low, high) = range.split_once(':').ok_or(EXAMPLE)?;
    let ((from, from_unit), (to, to_unit)) = with_unit(low).zip(with_unit(high)).ok_or(EXAMPLE)?;
    // An infinity needs no unit.
    let is_open = |end: f64, unit: &Option<Unit>| end.is_infinite() && unit.is_none();
    if !is_open(from, &from_unit) && !is_open(to, &to_unit) {
        in_one_unit(low, high)?;
    }
    let in_si = |number: f64, unit: &Option<Unit>| unit.as_ref().map_or(number, |unit| unit.to_si(number));
    let range = (in_si(from, &from_unit), in_si(to, &to_unit));
    if range.0 <= range.1 && !name.trim().is_empty() {
        let value = Bound { name: name.trim().to_owned(), range };
        return Ok(WithUnit { value, unit: from_unit.or(to_unit) });
    }
    Err(EXAMPLE.to_owned())
}

fn measured(text: &str) -> Result<((f64, f64), usize), String> {
    const EXAMPLE: &str = "expected FROM:TO or FROM:TO:COUNT, angular frequencies above 0 [rad/s], the lower one first, \
                           e.g. 0.1:100:40";
    let (range, count) = match text.match_indices(':').nth(1) {
        None => (text, 20),
        Some((at, _)) => (&text[..at], text[at + 1..].trim().parse::<usize>().map_err(|_| EXAMPLE)?),
    };
    let range = frequency_range(range)?.ok_or(EXAMPLE)?;
    if (1..=10_000).contains(&count) { Ok((range, count)) } else { Err(EXAMPLE.to_owned()) }
}

fn amplitude(text: &str) -> Result<WithUnit<f64>, String> {
    let (value, unit) = match with_unit(text) {
        Some((number, Some(unit))) => (unit.to_si(number), Some(unit)),
        Some((number, None)) => (number, None),
        None => (f64::NAN, None),
    };
    if value.is_finite() && value > 0.0 {
        return Ok(WithUnit { value, unit });
    }
    Err("expected an amplitude above 0, in the unit of the input or with its own, e.g. \"5 mN m\"".into())
}

fn contact(text: &str) -> Result<LinearContact, String> {
    let found = LinearContact::NAMED.iter().find(|(name, _)| *name == text.trim());
    found.map(|(_, model)| *model).ok_or_else(|| {
        let names = LinearContact::NAMED.map(|(name, _)| name.to_owned());
        format!("expected law, hold or none{}", did_you_mean(&nearest(text, &names)))
    })
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(tolerance) if (0.0..1.0).contains(&tolerance) => Ok(tolerance),
        _ => Err("expected a relative tolerance below 1, e.g. 1e-9, or none".into()),
    }
}

fn time(text: &str) -> Result<f64, String> {
    match number_in(text, "s")? {
        time if time.is_finite() && time >= 0.0 => Ok(time),
        _ => Err("expected a time in seconds that is not negative".into()),
    }
}

impl Linearize {
    pub(super) fn execute(
        &self,
        catalog: &Catalog,
        simulator: &dyn Simulator,
        console: &mut Console<'_>,
    ) -> io::Result<u8> {
        let Some((loaded, built)) = scenario::built(catalog, simulator, &self.file, &self.overrides, console)? else {
            return Ok(WRONG_INPUT);
        };
        let locus = match RootLocusOption::of(&self.root_locus) {
            Ok(locus) => locus,
            Err(message) => {
                writeln!(console.err, "{message}")?;
                return Ok(WRONG_INPUT);
            }
        };
        let searches = self.trim || self.trim_all.is_some();
        for (option, given) in [
            ("--hold", !self.hold.is_empty()),
            ("--free-inputs", self.free_inputs),
            ("--bound", !self.bounds.is_empty()),
        ] {
            if given && !searches {
                writeln!(console.err, "{option} is of the search for an equilibrium: add --trim, or --trim-all 20")?;
                return Ok(WRONG_INPUT);
            }
        }
        let mut outputs = Outputs::new(loaded.loader.files_read());
        let claimed = outputs
            .claim_given("--model", self.model.as_ref(), &OutputFormat::DIAGRAM)
            .and_then(|()| outputs.claim_given("--snapshot", self.snapshot.as_ref(), &OutputFormat::SNAPSHOT))
            .and_then(|()| outputs.claim_given("--bode", self.bode.as_ref(), &OutputFormat::PLOT))
            .and_then(|()| outputs.claim_given("--nyquist", self.nyquist.as_ref(), &OutputFormat::PLOT))
            .and_then(|()| outputs.claim_given("--step", self.step.as_ref(), &OutputFormat::PLOT))
            .and_then(|()| {
                let picture = locus.as_ref().and_then(|locus| locus.picture.as_ref());
                outputs.claim_given("--root-locus", picture, &OutputFormat::PLOT)
            });
        if let Err(message) = claimed {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        if let Some(locus) = &locus {
            let of = root_locus::Source { catalog, simulator, file: &self.file, overrides: &self.overrides };
            return root_locus::show(locus, &of, &self.request(), self.json, console);
        }
        let (error, code) = match built.linearize(&self.request()) {
            Ok(report) => {
                if let Some(code) = self.write_model(&report, console)? {
                    return Ok(code);
                }
                if let Some(Err(error)) = self.snapshot.as_ref().map(|file| report.snapshot.write(file)) {
                    writeln!(console.err, "--snapshot: {error}")?;
                    return Ok(WRONG_INPUT);
                }
                if self.snapshot.is_some() && !(self.inputs.is_empty() && self.cuts.is_empty()) {
                    writeln!(
                        console.err,
                        "note: the snapshot has the states; the inputs of a run are those of its file"
                    )?;
                }
                if let Some(code) = self.draw(&report, console)? {
                    return Ok(code);
                }
                if self.json {
                    serde_json::to_writer(&mut *console.out, &report)?;
                    writeln!(console.out)?;
                } else {
                    show_equilibria(&report, console)?;
                    summarize(&report, console)?;
                    show_measured(&report, console)?;
                    if self.margins {
                        show_margins(&report, console)?;
                        show_peak_gain(&report, console)?;
                    }
                }
                notes(&report, console)?;
                return Ok(DONE);
            }
            Err(error @ LinearizeError::Request(_)) => (error, WRONG_INPUT),
            Err(error @ LinearizeError::Failed(_)) => (error, FAILED),
        };
        writeln!(console.err, "{error}")?;
        Ok(code)
    }

    /// Writes the linear model to its file, if one is asked for; returns an exit code if that fails.
    fn write_model(&self, report: &LinearizeReport, console: &mut Console<'_>) -> io::Result<Option<u8>> {
        let Some(file) = &self.model else { return Ok(None) };
        let text = match linear_file::text(report) {
            Ok(text) => text,
            Err(reason) => {
                writeln!(console.err, "--model: {reason}")?;
                return Ok(Some(WRONG_INPUT));
            }
        };
        if let Err(error) = whole_file::write(file, text.as_bytes()) {
            writeln!(console.err, "{}", cannot_write("--model", file, &error))?;
            return Ok(Some(WRONG_INPUT));
        }
        Ok(None)
    }

    /// Draws the responses that are asked for; returns an exit code if that fails.
    fn draw(&self, report: &LinearizeReport, console: &mut Console<'_>) -> io::Result<Option<u8>> {
        let drawn = [
            ("--bode", self.bode.as_ref().map(|file| plot::bode(report, file))),
            ("--step", self.step.as_ref().map(|file| plot::steps(report, file))),
            ("--nyquist", self.nyquist.as_ref().map(|file| plot::nyquist(report, file))),
        ];
        for (option, result) in drawn {
            if let Some(Err(error)) = result {
                writeln!(console.err, "{option}: {error}")?;
                return Ok(Some(WRONG_INPUT));
            }
        }
        Ok(None)
    }

    /// True if a frequency response is needed.
    fn needs_response(&self) -> bool {
        self.margins || self.bode.is_some() || self.nyquist.is_some() || self.frequencies.is_some()
    }

    fn request(&self) -> LinearizeRequest {
        let trim = TrimOptions {
            hold: self.hold.clone(),
            free_inputs: self.free_inputs,
            bounds: self.bounds.iter().map(|bound| bound.value.clone()).collect(),
            ..TrimOptions::default()
        };
        LinearizeRequest {
            at: self.at,
            ports: LinearizePorts {
                inputs: self.inputs.clone(),
                cuts: self.cuts.clone(),
                outputs: self.outputs.clone(),
            },
            trim: (self.trim || self.trim_all.is_some()).then_some(trim),
            trim_all: self.trim_all.map(|starts| (starts, self.seed)),
            sampled: self.sampled.map(|period| period.map_or(Period::Common, Period::Of)),
            contact: if self.without_contact { LinearContact::Without } else { self.contact },
            minimal: self.minimal,
            reduce: self.reduce,
            measure: self.measure.map(|(range, count)| MeasureRequest {
                range,
                count,
                amplitude: self.amplitude.as_ref().map_or(AMPLITUDE, |amplitude| amplitude.value),
                settle: self.settle.map(f64::from),
            }),
            step: self.step.as_ref().map(|_| StepRequest { duration: self.step_duration }),
            response: self.needs_response().then_some(ResponseRequest { range: self.frequencies }),
            rational_delays: self.minimal.is_some() || self.reduce.is_some(),
            units: self.units(),
        }
    }

    /// Units that numbers of states and inputs are written with.
    fn units(&self) -> Vec<WrittenUnit> {
        let bounds = self.bounds.iter().filter_map(|WithUnit { value, unit }| {
            Some(WrittenUnit { option: "--bound", name: value.name.clone(), unit: unit.clone()? })
        });
        let amplitude = self.amplitude.as_ref().and_then(|amplitude| amplitude.unit.clone());
        let driven = amplitude.into_iter().flat_map(|unit| {
            let written =
                move |name: &String| WrittenUnit { option: "--amplitude", name: name.clone(), unit: unit.clone() };
            self.inputs.iter().chain(&self.cuts).map(written)
        });
        bounds.chain(driven).collect()
    }
}
