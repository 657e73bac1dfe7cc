//! `kinegraph linearize FILE`: A, B, C, D and poles of a diagram.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::linear_file;
use super::linear_tables::{notes, show_margins, summarize};
use super::output::cannot_write;
use super::outputs::{OutputFormat, Outputs};
use super::scenario;
use crate::files::{Catalog, Override};
use crate::linearize::state_space::{LinearizePorts, Period, TrimOptions};
use crate::plot;
use crate::scenario::Simulator;
use crate::simulate::{LinearizeError, LinearizeReport, LinearizeRequest, ResponseRequest};
use crate::whole_file;
use clap::Args;
use std::io;
use std::path::PathBuf;

/// Linearize a diagram file: A, B, C, D with names, and poles
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct Linearize {
    /// The diagram file (YAML or JSON)
    file: PathBuf,
    /// Simulate until this time [s] first
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
    #[arg(long = "hold", value_name = "STATE", requires = "trim")]
    hold: Vec<String>,
    /// Let the search for an equilibrium choose the inputs, too
    #[arg(long, requires = "trim")]
    free_inputs: bool,
    /// Leave out contacts and joint stops, where there are some: else such an operating point is refused
    #[arg(long)]
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
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

fn frequencies(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|w| w.is_finite() && *w > 0.0);
    match text.split_once(':').map(|(from, to)| (number(from), number(to))) {
        Some((Some(from), Some(to))) if from < to => Ok((from, to)),
        _ => Err("expected two angular frequencies above 0 [rad/s], the lower one first, e.g. 0.1:100".into()),
    }
}

fn period(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(period) if period.is_finite() && period > 0.0 => Ok(period),
        _ => Err("expected a period above 0 in seconds, e.g. 0.01, or none for that of the sampled blocks \
                  (`--sampled` behind FILE or before another option)"
            .into()),
    }
}

fn time(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(time) if time.is_finite() && time >= 0.0 => Ok(time),
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
        let mut outputs = Outputs::new(loaded.loader.files_read());
        let claimed = outputs
            .claim_given("--model", self.model.as_ref(), &OutputFormat::DIAGRAM)
            .and_then(|()| outputs.claim_given("--snapshot", self.snapshot.as_ref(), &OutputFormat::SNAPSHOT))
            .and_then(|()| outputs.claim_given("--bode", self.bode.as_ref(), &OutputFormat::PLOT))
            .and_then(|()| outputs.claim_given("--nyquist", self.nyquist.as_ref(), &OutputFormat::PLOT));
        if let Err(message) = claimed {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
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
                    summarize(&report, console)?;
                    if self.margins {
                        show_margins(&report, console)?;
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
        let trim = TrimOptions { hold: self.hold.clone(), free_inputs: self.free_inputs, ..TrimOptions::default() };
        LinearizeRequest {
            at: self.at,
            ports: LinearizePorts {
                inputs: self.inputs.clone(),
                cuts: self.cuts.clone(),
                outputs: self.outputs.clone(),
            },
            trim: self.trim.then_some(trim),
            sampled: self.sampled.map(|period| period.map_or(Period::Common, Period::Of)),
            without_contact: self.without_contact,
            response: self.needs_response().then_some(ResponseRequest { range: self.frequencies }),
        }
    }
}
