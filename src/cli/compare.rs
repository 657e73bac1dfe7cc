//! `kinegraph compare FILE`: the same diagram by several integrators.

use super::comparison_table::{Markdown, Table, csv};
use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::number_list::NumberList;
use super::output::cannot_write;
use super::outputs::{OutputFormat, Outputs};
use super::scenario::scenario;
use crate::compare::{Axis, CompareError, Comparison, contenders, draw, read_reference};
use crate::files::{Catalog, Override};
use crate::integrators::{IntegratorType, Motion};
use crate::plot::PlotError;
use clap::Args;
use kinegraph_systems::names::nearest;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Run a diagram file by several integrators, and compare their errors and their work
#[derive(Debug, Args)]
pub(super) struct Compare {
    /// The diagram file (YAML or JSON)
    file: PathBuf,
    /// The integrators, or `all`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "all")]
    integrators: Vec<String>,
    /// Accuracies of those that choose their steps: a list, or decades from one to another, e.g. 1e-1..1e-6
    #[arg(long, value_name = "LIST", default_value = "1e-1..1e-5")]
    accuracies: NumberList,
    /// Steps [s] of the others, in the same way
    #[arg(long, value_name = "LIST", default_value = "1e-2,1e-3")]
    steps: NumberList,
    /// Measure errors against this recording (CSV with a column `time` and states of the diagram), not against a tight
    /// run
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
    /// Time that each run may take [s]
    #[arg(long, value_name = "S", default_value_t = 20.0, value_parser = positive)]
    budget: f64,
    /// How often short runs are timed; the shortest time counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    timings: usize,
    /// Quantity that plots draw errors over
    #[arg(long, value_enum, default_value_t = PlotAxis::Time)]
    axis: PlotAxis,
    /// Simulate until this time [s]
    #[arg(long, value_name = "T")]
    until: Option<String>,
    /// Replace a value of the file, e.g. systems.controller.kp=100
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    overrides: Vec<Override>,
    /// Draw error over time into this file (.svg or .png); may be given several times
    #[arg(long, value_name = "FILE")]
    plot: Vec<PathBuf>,
    /// Print one JSON object instead of the table
    #[arg(long, conflicts_with_all = ["csv", "markdown"])]
    json: bool,
    /// Print comma-separated values instead of the table
    #[arg(long, conflicts_with = "markdown")]
    csv: bool,
    /// Print the table for a Markdown document
    #[arg(long)]
    markdown: bool,
}

/// Quantity that plots draw errors over.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PlotAxis {
    /// The time that a run took
    Time,
    /// Convex problems solved and evaluations of derivatives, which do not depend on the machine
    Work,
}

/// Finds the integrators with these names.
///
/// # Errors
/// An unknown name, with the nearest known one.
fn chosen(names: &[String], catalog: &Catalog) -> Result<Vec<&'static IntegratorType>, String> {
    let known = catalog.integrators();
    let mut chosen: Vec<&'static IntegratorType> = Vec::new();
    for name in names {
        let found: Vec<_> = known.iter().filter(|method| name == "all" || *name == method.name).collect();
        if found.is_empty() {
            let names = || known.iter().map(|method| method.name);
            return Err(match nearest(name, names()) {
                Some(near) => format!("no integrator is called `{name}`; did you mean {near}?"),
                None => {
                    format!("no integrator is called `{name}`; there are {}", names().collect::<Vec<_>>().join(", "))
                }
            });
        }
        for method in found {
            if !chosen.contains(method) {
                chosen.push(method);
            }
        }
    }
    Ok(chosen)
}

/// Methods that differ without plants: of those that differ only in the motion of plants, the first is taken.
fn differing(methods: &[&'static IntegratorType]) -> Vec<&'static IntegratorType> {
    let steps_plants = |method: &IntegratorType| matches!(method.family.motion, Motion::Steps);
    let is_fixed = |method: &IntegratorType| !method.error_controlled();
    let is_first = |i: usize, method: &IntegratorType| {
        let mut before = methods[..i].iter();
        !steps_plants(method) || before.all(|other| !steps_plants(other) || is_fixed(other) != is_fixed(method))
    };
    methods.iter().enumerate().filter(|(i, method)| is_first(*i, method)).map(|(_, method)| *method).collect()
}

fn positive(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err("not a positive number".into()) }
}

/// Time limit of a run; a limit too large for the clock is no limit.
fn budget(seconds: f64) -> Duration {
    /// A reference may take a multiple of this.
    const MAX_BUDGET: Duration = Duration::from_secs(100 * 365 * 86_400);
    Duration::try_from_secs_f64(seconds).unwrap_or(MAX_BUDGET).min(MAX_BUDGET)
}

impl Compare {
    pub(super) fn execute(&self, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
        let methods = match chosen(&self.integrators, catalog) {
            Ok(methods) => methods,
            Err(message) => {
                writeln!(console.err, "--integrators: {message}")?;
                return Ok(WRONG_INPUT);
            }
        };
        let mut overrides = self.overrides.clone();
        overrides.extend(self.until.iter().map(|until| Override::flag("--until", "simulation.duration", until)));
        let Some((scenario, inputs)) = scenario(catalog, &self.file, &overrides, console)? else {
            return Ok(WRONG_INPUT);
        };
        let mut outputs = Outputs::new(inputs);
        self.reference.iter().for_each(|file| outputs.reads(file));
        if let Err(message) = self.plot.iter().try_for_each(|file| outputs.claim("--plot", file, &OutputFormat::PLOT)) {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        let reference = self.reference.as_deref().map(|file| read_reference(file, &scenario)).transpose();
        let reference = match reference {
            Ok(reference) => reference,
            Err(error) => {
                writeln!(console.err, "--reference {error}")?;
                return Ok(WRONG_INPUT);
            }
        };
        let has_plants = scenario.diagram.plants().next().is_some();
        let methods: Vec<_> = match self.integrators.as_slice() {
            [all] if all == "all" && !has_plants => differing(&methods),
            _ => methods,
        };
        let all = contenders(&scenario.options, &methods, &self.accuracies.0, &self.steps.0);
        let (interactive, mut done) = (console.interactive, 0);
        let err = &mut *console.err;
        let run = Comparison::run(&scenario, &all, reference, budget(self.budget), self.timings, |row| {
            done += 1;
            if interactive {
                // Progress is optional, so a failure to write it is ignored.
                let _ = writeln!(err, "{done} of {}: {} in {:.3} s", all.len(), row.integrator, row.wall_s);
            }
        });
        let comparison = match run {
            Ok(comparison) => comparison,
            Err(error) => {
                writeln!(console.err, "{error}")?;
                return Ok(match error {
                    CompareError::NoReference { .. } => FAILED,
                    _ => WRONG_INPUT,
                });
            }
        };
        if self.json {
            serde_json::to_writer(&mut *console.out, &comparison).map_err(io::Error::from)?;
            writeln!(console.out)?;
        } else if self.csv {
            write!(console.out, "{}", csv(&comparison)?)?;
        } else if self.markdown {
            write!(console.out, "{}", Markdown(&comparison))?;
        } else {
            write!(console.out, "{}", Table(&comparison))?;
        }
        self.draw(&comparison, console)
    }

    fn draw(&self, comparison: &Comparison, console: &mut Console<'_>) -> io::Result<u8> {
        let mut code = DONE;
        let axis = match self.axis {
            PlotAxis::Time => Axis::Time,
            PlotAxis::Work => Axis::Work,
        };
        for file in &self.plot {
            match draw(comparison, axis, file) {
                Ok(()) => continue,
                Err(PlotError::Io(error)) => writeln!(console.err, "{}", cannot_write("--plot", file, &error))?,
                Err(error) => writeln!(console.err, "--plot {}: {error}", file.display())?,
            }
            code = FAILED;
        }
        Ok(code)
    }
}
