//! Recordings that a run is compared with.

use kinegraph_data::{Column, Table, TableError, read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A channel of the diagram, and the column of the recordings that it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The channel.
    pub channel: String,
    /// Name of the column.
    pub column: String,
}

impl FromStr for Match {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (channel, column) = text.split_once('=').unwrap_or((text, text));
        let (channel, column) = (channel.trim().to_owned(), column.trim().to_owned());
        if channel.is_empty() || column.is_empty() {
            return Err("expected CHANNEL or CHANNEL=COLUMN, e.g. plant.arm.joint1.q=angle".to_owned());
        }
        Ok(Match { channel, column })
    }
}

/// Columns of one file at its times.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The file.
    pub path: PathBuf,
    /// Times \[s\], ascending.
    pub times: Vec<f64>,
    /// The columns, in the order of the matches; not-a-number where a sample is missing.
    pub columns: Vec<Vec<f64>>,
}

/// Reason why a recording cannot be compared with a run.
#[derive(Clone, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: String,
    },
    /// A column is not there.
    #[error("{}: there is no column `{name}`{}; the columns are: {}", path.display(),
        kinegraph_core::names::did_you_mean(near), columns.join(", "))]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
        /// The nearest name.
        near: Option<String>,
        /// Names of all columns.
        columns: Vec<String>,
    },
    /// Times do not grow.
    #[error("{}: row {row}: the time {time} s is not after {before} s", path.display())]
    Times {
        /// The file.
        path: PathBuf,
        /// Number of the row, from 1.
        row: usize,
        /// Its time \[s\].
        time: f64,
        /// The time before it \[s\].
        before: f64,
    },
    /// No row has numbers.
    #[error("{}: there is no row with a time and a number", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

kinegraph_core::debug_is_message!(RecordingError);

impl Recording {
    /// Reads the columns of `matches` from the file at `path`. Its time is the column `time` or `t`, or the first.
    ///
    /// # Errors
    /// A file that is no table; a column that is not there; times that do not grow.
    pub fn read(path: &Path, matches: &[Match]) -> Result<Self, RecordingError> {
        let fault = |error: TableError| RecordingError::Table { path: path.to_owned(), error: error.to_string() };
        let table = read(path).map_err(fault)?;
        let named = ["time", "t"].into_iter().find_map(|name| table.column(name));
        let Some(time) = named.or_else(|| table.columns.first()) else {
            return Err(RecordingError::Empty { path: path.to_owned() });
        };
        let found: Vec<&Column> =
            matches.iter().map(|one| column(&table, &one.column, path)).collect::<Result<_, _>>()?;
        let mut recording =
            Recording { path: path.to_owned(), times: Vec::new(), columns: vec![Vec::new(); found.len()] };
        for (row, &t) in time.values.iter().enumerate() {
            let numbers = found.iter().map(|column| column.values.get(row).copied().unwrap_or(f64::NAN));
            if t.is_nan() || numbers.clone().all(f64::is_nan) {
                continue;
            }
            if let Some(&before) = recording.times.last()
                && t <= before
            {
                return Err(RecordingError::Times { path: path.to_owned(), row: row + 1, time: t, before });
            }
            recording.times.push(t);
            recording.columns.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
        }
        if recording.times.is_empty() {
            return Err(RecordingError::Empty { path: path.to_owned() });
        }
        Ok(recording)
    }
}

fn column<'t>(table: &'t Table, name: &str, path: &Path) -> Result<&'t Column, RecordingError> {
    table.column(name).ok_or_else(|| {
        let columns: Vec<String> = table.names().map(str::to_owned).collect();
        let near = kinegraph_core::names::nearest(name, &columns);
        RecordingError::NoColumn { path: path.to_owned(), name: name.to_owned(), near, columns }
    })
}
