//! Reads recorded tables as plots.

use super::{Series, TimePlot};
use crate::record::{mcap, whole_lines};
use kinegraph_core::memory::{self, TooMuchMemory};
use kinegraph_engine::input_file;
use kinegraph_engine::io_reason::plain_reason;
use std::io;
use std::path::Path;

/// Reason why a recording cannot be plotted.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file cannot be read.
    #[error("it cannot be read: {}", plain_reason(.0))]
    Io(#[from] io::Error),
    /// The recording needs more memory than is allowed.
    #[error(transparent)]
    Memory(#[from] TooMuchMemory),
    /// Not a table, or one without a column `time`.
    #[error("{0}")]
    Table(String),
    /// A recording that cannot be read.
    #[error(transparent)]
    Recording(#[from] mcap::ReadError),
}

kinegraph_core::debug_is_message!(TableError);

/// Contents of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadTable {
    /// Its channels.
    pub plot: TimePlot,
    /// True if the program stopped in the middle of a row; that row is left out.
    pub is_torn: bool,
}

/// Reads the channels recorded in the file at `path`: `.mcap`, else a table (CSV) whose first column is `time`.
///
/// # Errors
/// [`TableError`].
pub fn read(path: &Path) -> Result<TimePlot, TableError> {
    Ok(read_table(path)?.plot)
}

/// Reads the channels as [`read`] does, up to the last whole row, and reports whether a part of a row follows.
///
/// # Errors
/// [`TableError`].
pub fn read_table(path: &Path) -> Result<ReadTable, TableError> {
    let title = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    if extension.as_deref() == Some("mcap") {
        let recording = mcap::read(path)?;
        let is_torn = recording.end.is_none();
        return Ok(ReadTable { plot: of_recording(recording, title), is_torn });
    }
    // Memory for the text and twice its numbers: all that are read, and those of the chosen channels.
    let length = path.metadata().map_or(0, |data| data.len());
    memory::ask(|| "the table".to_owned(), 4 * length)?;
    let bytes = input_file::read(path)?;
    let (rows, is_torn) = whole_lines(&bytes);
    let plot = match extension.as_deref() {
        Some("jsonl" | "ndjson") => of_lines(rows, title)?,
        _ => of_table(rows, title)?,
    };
    Ok(ReadTable { plot, is_torn })
}

fn of_recording(recording: mcap::Recording, title: String) -> TimePlot {
    let series = recording.run.channels.iter().enumerate().map(|(i, channel)| Series {
        name: channel.name.clone(),
        unit: channel.unit.clone(),
        sampled: channel.sampled,
        values: recording.values.iter().map(|values| values[i]).collect(),
    });
    TimePlot { title, series: series.collect(), times: recording.times, over: None }
}

fn of_table(rows: &[u8], title: String) -> Result<TimePlot, TableError> {
    let mut reader = csv::Reader::from_reader(rows);
    let names: Vec<String> = reader.headers().map_err(no_table)?.iter().map(str::to_owned).collect();
    if names.first().is_some_and(|name| name == INDEX) {
        let rows: Result<Vec<csv::StringRecord>, csv::Error> = reader.records().collect();
        let number = |field: &str| field.trim().parse().unwrap_or(f64::NAN);
        let rows = rows.map_err(no_table)?;
        return Ok(of_sweep(title, &names, rows.iter().map(|row| row.iter().map(number).collect())));
    }
    let mut plot = empty(title, &names)?;
    for row in reader.records() {
        let row = row.map_err(no_table)?;
        let line = row.position().map_or(0, csv::Position::line);
        let number = |i: usize| {
            let text = row.get(i).unwrap_or("").trim();
            let wrong = |_| TableError::Table(format!("line {line}: {} is {}, no number", names[i], quoted(text)));
            if text.is_empty() { Ok(f64::NAN) } else { text.parse::<f64>().map_err(wrong) }
        };
        plot.times.push(time(number(0)?, line)?);
        for (i, series) in plot.series.iter_mut().enumerate() {
            series.values.push(number(i + 1)?);
        }
    }
    Ok(plot)
}

/// First column of the table of a sweep.
const INDEX: &str = "index";

/// Plot of the table of a sweep: its columns over the first varied one, or over a chosen one.
fn of_sweep(title: String, names: &[String], rows: impl Iterator<Item = Vec<f64>>) -> TimePlot {
    let mut series: Vec<Series> = names.iter().map(|name| Series { name: name.clone(), ..Series::default() }).collect();
    for row in rows {
        series.iter_mut().zip(row).for_each(|(series, value)| series.values.push(value));
    }
    // A column without any number is not plotted.
    series.retain(|series| series.values.iter().any(|value| value.is_finite()));
    // The table does not state units, so each column gets a unit of its own.
    series.iter_mut().for_each(|series| series.unit = series.name.clone());
    let mut plot = TimePlot { title, series, ..TimePlot::default() };
    let varied = plot.series.iter().find(|series| series.name.contains('.') && !series.name.contains('('));
    let over = varied.map_or_else(|| INDEX.to_owned(), |series| series.name.clone());
    plot.draw_over(&over);
    plot
}

impl TimePlot {
    /// Uses a column of the table of a sweep as horizontal axis; returns false if there is none with this name.
    pub fn draw_over(&mut self, column: &str) -> bool {
        let found = self.series.iter().find(|series| series.name == column);
        let Some(series) = found else { return false };
        self.times = series.values.clone();
        self.over = Some(column.to_owned());
        true
    }

    /// Columns of the table of a sweep that are drawn by default: measures, or else time and steps of the runs.
    pub fn measures(&self) -> Vec<String> {
        let names = || self.series.iter().map(|series| series.name.clone());
        let measures: Vec<String> = names().filter(|name| name.contains('(')).collect();
        if measures.is_empty() {
            names().filter(|name| ["sim_time", "steps"].contains(&&**name)).collect()
        } else {
            measures
        }
    }
}

/// Describes the fault of a table.
fn no_table(error: csv::Error) -> TableError {
    let line = |position: &Option<csv::Position>| position.as_ref().map_or(0, csv::Position::line);
    TableError::Table(match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            format!("line {} has {len} fields, not {expected_len}", line(pos))
        }
        csv::ErrorKind::Utf8 { pos, .. } => format!("line {} is no text (UTF-8)", line(pos)),
        _ => format!("it is no table: {error}"),
    })
}

fn of_lines(rows: &[u8], title: String) -> Result<TimePlot, TableError> {
    let mut plot: Option<TimePlot> = None;
    if let Some(plot) = sweep_of_lines(rows, &title) {
        return Ok(plot);
    }
    for (i, row) in rows.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let line = i as u64 + 1;
        let wrong = |error: serde_json::Error| TableError::Table(format!("line {line} is no JSON object: {error}"));
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(row).map_err(wrong)?;
        if plot.is_none() {
            // The parser sorts names, but `time` must come first.
            let others = object.keys().filter(|key| *key != "time").cloned();
            plot = Some(empty(title.clone(), &std::iter::once("time".to_owned()).chain(others).collect::<Vec<_>>())?);
        }
        if let Some(plot) = &mut plot {
            let number = |name: &str| object.get(name).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
            plot.times.push(time(number("time"), line)?);
            plot.series.iter_mut().for_each(|series| series.values.push(number(&series.name)));
        }
    }
    plot.ok_or_else(|| TableError::Table("it has no whole row".into()))
}

/// Table of a sweep; `None` for other content.
fn sweep_of_lines(rows: &[u8], title: &str) -> Option<TimePlot> {
    type Object = serde_json::Map<String, serde_json::Value>;
    let objects = rows.split_inclusive(|byte| *byte == b'\n').map(|row| serde_json::from_slice::<Object>(row).ok());
    let objects: Vec<Object> = objects.collect::<Option<_>>()?;
    let first = objects.first().filter(|first| first.contains_key(INDEX) && !first.contains_key("time"))?;
    let names: Vec<String> = first.keys().cloned().collect();
    let number =
        |object: &Object, name: &String| object.get(name).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN);
    Some(of_sweep(title.to_owned(), &names, objects.iter().map(|o| names.iter().map(|name| number(o, name)).collect())))
}

/// Checks that a time is a number.
fn time(time: f64, line: u64) -> Result<f64, TableError> {
    match time.is_finite() {
        true => Ok(time),
        false => Err(TableError::Table(format!("line {line}: the time is no finite number"))),
    }
}

/// A field as shown in a message.
fn quoted(text: &str) -> String {
    const MAX_CHARACTERS: usize = 40;
    match text.char_indices().nth(MAX_CHARACTERS) {
        None => format!("`{text}`"),
        Some((cut, _)) => format!("`{}…`", &text[..cut]),
    }
}

fn empty(title: String, names: &[String]) -> Result<TimePlot, TableError> {
    match names.split_first() {
        Some((first, others)) if first == "time" => {
            let series = others.iter().map(|name| Series { name: name.clone(), ..Series::default() }).collect();
            Ok(TimePlot { title, series, ..TimePlot::default() })
        }
        None => Err(TableError::Table("it has no whole row".into())),
        _ => Err(TableError::Table(
            "its first column is neither `time` nor `index`: it is no recording, and no table of a sweep".into(),
        )),
    }
}
