//! Recorded tables as plots.

use super::{Series, TimePlot};
use crate::io_reason::plain_reason;
use crate::record::mcap;
use std::io;
use std::path::Path;

/// Why a recording cannot be plotted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file cannot be read.
    #[error("it cannot be read: {}", plain_reason(.0))]
    Io(#[from] io::Error),
    /// A table that is none, or has no column `time`.
    #[error("{0}")]
    Table(String),
    /// A recording that cannot be read.
    #[error(transparent)]
    Recording(#[from] mcap::ReadError),
}

/// The channels recorded in the file at `path`: `.mcap`, else a table (CSV) whose first column is `time`.
///
/// # Errors
/// [`TableError`].
pub fn read(path: &Path) -> Result<TimePlot, TableError> {
    let title = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("mcap") => Ok(of_recording(mcap::read(path)?, title)),
        Some("jsonl" | "ndjson") => of_lines(&std::fs::read_to_string(path)?, title),
        _ => of_table(path, title),
    }
}

fn of_recording(recording: mcap::Recording, title: String) -> TimePlot {
    let series = recording.run.channels.iter().enumerate().map(|(i, channel)| Series {
        name: channel.name.clone(),
        unit: channel.unit.clone(),
        sampled: channel.sampled,
        values: recording.values.iter().map(|values| values[i]).collect(),
    });
    TimePlot { title, series: series.collect(), times: recording.times }
}

fn of_table(path: &Path, title: String) -> Result<TimePlot, TableError> {
    let wrong = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => TableError::Io(error),
        kind => TableError::Table(format!("it is no table: {kind:?}")),
    };
    let mut reader = csv::Reader::from_path(path).map_err(wrong)?;
    let names: Vec<String> = reader.headers().map_err(wrong)?.iter().map(str::to_owned).collect();
    let mut plot = empty(title, &names)?;
    for (line, row) in reader.records().enumerate() {
        let row = row.map_err(wrong)?;
        let number = |i: usize| {
            let text = row.get(i).unwrap_or("").trim();
            let wrong = |_| TableError::Table(format!("line {}: {} is `{text}`, no number", line + 2, names[i]));
            if text.is_empty() { Ok(f64::NAN) } else { text.parse::<f64>().map_err(wrong) }
        };
        plot.times.push(number(0)?);
        for (i, series) in plot.series.iter_mut().enumerate() {
            series.values.push(number(i + 1)?);
        }
    }
    Ok(plot)
}

fn of_lines(text: &str, title: String) -> Result<TimePlot, TableError> {
    let mut plot: Option<TimePlot> = None;
    for (i, line) in text.lines().enumerate() {
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(line).map_err(|error| TableError::Table(format!("line {}: {error}", i + 1)))?;
        if plot.is_none() {
            // The parser sorts names; `time` comes first all the same.
            let others = object.keys().filter(|key| *key != "time").cloned();
            plot = Some(empty(title.clone(), &std::iter::once("time".to_owned()).chain(others).collect::<Vec<_>>())?);
        }
        if let Some(plot) = &mut plot {
            let number = |name: &str| object.get(name).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
            plot.times.push(number("time"));
            plot.series.iter_mut().for_each(|series| series.values.push(number(&series.name)));
        }
    }
    plot.ok_or_else(|| TableError::Table("it is empty".into()))
}

fn empty(title: String, names: &[String]) -> Result<TimePlot, TableError> {
    match names.split_first() {
        Some((first, others)) if first == "time" => {
            let series = others.iter().map(|name| Series { name: name.clone(), ..Series::default() }).collect();
            Ok(TimePlot { title, times: Vec::new(), series })
        }
        _ => Err(TableError::Table("its first column is not `time`: it is no recording".into())),
    }
}
