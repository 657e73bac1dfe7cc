//! `kinegraph plot FILE`: draw what was recorded.

use super::console::{Console, DONE, WRONG_INPUT};
use super::output::cannot_write;
use super::outputs::{OutputFormat, Outputs};
use crate::plot::{PlotError, ReadTable, TimePlot, draw, read_table};
use crate::systems::names::nearest;
use clap::Args;
use std::io;
use std::path::PathBuf;

/// Draw recorded channels over time (SVG or PNG)
#[derive(Debug, Args)]
pub(super) struct Plot {
    /// The recording: .csv, .jsonl or .mcap
    file: PathBuf,
    /// Channels, or what stands for several (plant.arm, plant.arm.joint1.q), separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    channels: Vec<String>,
    /// The picture
    #[arg(short, long, value_name = "FILE", default_value = "plot.svg")]
    output: PathBuf,
}

impl Plot {
    pub(super) fn execute(&self, console: &mut Console<'_>) -> io::Result<u8> {
        let ReadTable { mut plot, is_torn } = match read_table(&self.file) {
            Ok(table) => table,
            Err(error) => {
                writeln!(console.err, "{}: {error}", self.file.display())?;
                return Ok(WRONG_INPUT);
            }
        };
        if is_torn {
            let (file, rows) = (self.file.display(), plot.times.len());
            writeln!(console.err, "{file}: the file is torn: what is whole of it, {rows} samples, is drawn")?;
        }
        let mut unknown = false;
        for name in &self.channels {
            if !plot.series.iter().any(|series| is_of(&series.name, name)) {
                unknown = true;
                let names: Vec<String> = plot.series.iter().map(|series| series.name.clone()).collect();
                let near = nearest(name, &names).map_or_else(String::new, |near| format!("; did you mean {near}?"));
                writeln!(console.err, "--channels {name}: nothing recorded is called so{near}")?;
            }
        }
        if unknown {
            return Ok(WRONG_INPUT);
        }
        if !self.channels.is_empty() {
            plot.series = chosen(&plot, &self.channels);
        }
        let claimed = Outputs::new(vec![self.file.clone()]).claim("--output", &self.output, &OutputFormat::PLOT);
        if let Err(message) = claimed {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        match draw(&plot, &self.output) {
            Ok(()) => return Ok(DONE),
            Err(PlotError::Io(error)) => writeln!(console.err, "{}", cannot_write("--output", &self.output, &error))?,
            Err(error @ PlotError::Format) => writeln!(console.err, "--output {}: {error}", self.output.display())?,
            Err(error) => writeln!(console.err, "{}: {error}", self.file.display())?,
        }
        Ok(WRONG_INPUT)
    }
}

/// Whether a channel is the one called `name`, or one of several that it stands for.
fn is_of(channel: &str, name: &str) -> bool {
    channel.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '/']))
}

/// In the order of the names.
fn chosen(plot: &TimePlot, names: &[String]) -> Vec<crate::plot::Series> {
    let mut chosen: Vec<crate::plot::Series> = Vec::new();
    for name in names {
        for series in plot.series.iter().filter(|series| is_of(&series.name, name)) {
            if !chosen.iter().any(|other| other.name == series.name) {
                chosen.push(series.clone());
            }
        }
    }
    chosen
}
