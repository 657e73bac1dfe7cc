//! Reads recorded tables as plots.

use super::{Series, TimePlot};
use kinegraph_data::{self as data, Column, Table};
use std::path::Path;

pub use kinegraph_data::TableError;

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
    let Table { columns, lines, is_torn } = data::read(path)?;
    let words = columns.iter().find_map(|column| column.words.clone());
    let mut series = columns.into_iter().map(series);
    let plot = match series.next() {
        Some(first) if first.name == INDEX => of_sweep(title, std::iter::once(first).chain(series).collect()),
        Some(first) if first.name == "time" => {
            if let Some(words) = words {
                return Err(TableError::Table(words));
            }
            let times = first.values;
            if let Some(i) = times.iter().position(|time| !time.is_finite()) {
                let line = lines.get(i).copied().unwrap_or_default();
                return Err(TableError::Table(format!("line {line}: the time is no finite number")));
            }
            TimePlot { title, series: series.collect(), times, over: None }
        }
        _ => {
            return Err(TableError::Table(
                "its first column is neither `time` nor `index`: it is no recording, and no table of a sweep".into(),
            ));
        }
    };
    Ok(ReadTable { plot, is_torn })
}

fn series(column: Column) -> Series {
    let Column { name, unit, sampled, values, .. } = column;
    Series { name, unit, sampled, values }
}

/// First column of the table of a sweep.
const INDEX: &str = "index";

/// Plot of the table of a sweep: its columns over the first varied one, or over a chosen one.
fn of_sweep(title: String, mut series: Vec<Series>) -> TimePlot {
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
