//! `kinegraph plot FILE`: draws recorded channels.

use super::console::{Console, DONE, WRONG_INPUT};
use super::output::cannot_write;
use super::outputs::{OutputFormat, Outputs};
use crate::plot::{PlotError, ReadTable, draw, read_table};
use crate::view::{chosen_channels, is_of};
use clap::Args;
use kinegraph_systems::names::nearest;
use std::io;
use std::path::PathBuf;

/// Draw recorded channels over time, or the table of a sweep over what was varied (SVG or PNG)
#[derive(Debug, Args)]
pub(super) struct Plot {
    /// The recording (.csv, .jsonl or .mcap), or the table of a sweep (.csv, .jsonl)
    file: PathBuf,
    /// Channels, or what stands for several (plant.arm, plant.arm.joint1.q), separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    channels: Vec<String>,
    /// The column of the table of a sweep that is the axis; default: the first that was varied
    #[arg(long, value_name = "COLUMN")]
    over: Option<String>,
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
        if let Some(over) = &self.over {
            let message = if plot.over.is_none() {
                Some(format!("--over {over}: only tables of sweeps are drawn over something else than time"))
            } else if plot.draw_over(over) {
                None
            } else {
                let names: Vec<&str> = plot.series.iter().map(|series| &*series.name).collect();
                Some(format!("--over {over}: the table has no such column of numbers; it has {}", names.join(", ")))
            };
            if let Some(message) = message {
                writeln!(console.err, "{message}")?;
                return Ok(WRONG_INPUT);
            }
        }
        let channels =
            if plot.over.is_some() && self.channels.is_empty() { plot.measures() } else { self.channels.clone() };
        let names = || plot.series.iter().map(|series| &*series.name);
        if let Some(message) = unknown_channel(names(), &channels) {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        if !channels.is_empty() {
            let chosen = chosen_channels(names(), &channels);
            plot.series = chosen.into_iter().map(|i| plot.series[i].clone()).collect();
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

/// Fault of the first of `wanted` that matches none of `names`.
pub(super) fn unknown_channel<'a>(names: impl Iterator<Item = &'a str>, wanted: &[String]) -> Option<String> {
    let names: Vec<String> = names.map(str::to_owned).collect();
    let unknown = wanted.iter().find(|name| !names.iter().any(|channel| is_of(channel, name)))?;
    let near = nearest(unknown, &names).map_or_else(String::new, |near| format!("; did you mean {near}?"));
    const MAX_SHOWN: usize = 12;
    let shown = names.iter().take(MAX_SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let rest = names.len().saturating_sub(MAX_SHOWN);
    let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let all = if near.is_empty() { format!("; recorded: {shown}{rest}") } else { near };
    Some(format!("--channels {unknown}: nothing recorded is called so{all}"))
}
