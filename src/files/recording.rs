//! Recordings that a run is compared with, as a fit reads them.

use super::fitted::Match;
use super::quantity::number_in;
use kinegraph_data::{Column, Table, read};
use std::path::{Path, PathBuf};

/// Part of the duration by which a time may be before or after the run.
const TIME_TOLERANCE: f64 = 1e-9;

/// Columns of one file at its times.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The file.
    pub path: PathBuf,
    /// Times \[s\], ascending.
    pub times: Vec<f64>,
    /// The columns, in the order of the matches; not-a-number where a sample is missing.
    pub columns: Vec<Vec<f64>>,
    /// Number of rows that are before or after the run.
    pub left_out: usize,
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
    /// No column is a channel.
    #[error(
        "{}: no column is a channel of the diagram: name the channels, as in --match plant.arm.joint1.q=angle (columns: \
         {})", path.display(), columns.join(", ")
    )]
    NothingMatches {
        /// The file.
        path: PathBuf,
        /// Names of the columns.
        columns: Vec<String>,
    },
    /// Times do not grow.
    #[error("{}: row {row}: the time {time} s is not after {before} s{}", path.display(), taken_as_time(column))]
    Times {
        /// The file.
        path: PathBuf,
        /// Name of the column of times, if it is the first one for want of a better.
        column: Option<String>,
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
    /// A column has no numbers.
    #[error("{}: the column `{name}` has no numbers in rows with a time{}", path.display(), found(words))]
    NoNumbers {
        /// The file.
        path: PathBuf,
        /// Name of the column.
        name: String,
        /// The first text that it has in their place.
        words: Option<String>,
    },
    /// The unit of a column is none of its channel.
    #[error("{}: the column `{name}` of the channel `{channel}`: {reason}", path.display())]
    Unit {
        /// The file.
        path: PathBuf,
        /// Name of the column.
        name: String,
        /// The channel.
        channel: String,
        /// The reason.
        reason: String,
    },
    /// No row is at a time of the run.
    #[error(
        "{}: its times go from {from} to {to} s, the run from 0 to {duration} s: none is in common{}",
        path.display(), if to > &(1e3 * duration) && *from < *duration { "; are they in milliseconds?" } else { "; times count from the start of the run, in seconds" }
    )]
    NoOverlap {
        /// The file.
        path: PathBuf,
        /// Its first time \[s\].
        from: f64,
        /// Its last time \[s\].
        to: f64,
        /// End of the run \[s\].
        duration: f64,
    },
}

/// Words on the text of a column.
fn found(words: &Option<String>) -> String {
    words.as_ref().map_or_else(String::new, |words| format!(": {words}"))
}

/// Words on a column that is taken as the time.
fn taken_as_time(column: &Option<String>) -> String {
    let words =
        |name: &String| format!("; the first column, `{name}`, is taken as time, since none is called `time` or `t`");
    column.as_ref().map_or_else(String::new, words)
}

kinegraph_core::debug_is_message!(RecordingError);

impl Recording {
    /// Reads the columns of `matches` from the file at `path`, at the times of a run of this `duration` \[s\]. Its time
    /// is the column `time` or `t`, or the first. Columns that state a unit come in those of their channels, `units`.
    ///
    /// # Errors
    /// A file that is no table; a column that is not there, without numbers, or in another kind of unit; times that do
    /// not grow, or are none of the run.
    pub fn read(path: &Path, matches: &[Match], units: &[String], duration: f64) -> Result<Self, RecordingError> {
        let table = table(path)?;
        let Some((time, guessed)) = time_column(&table) else {
            return Err(RecordingError::Empty { path: path.to_owned() });
        };
        let found: Vec<&Column> =
            matches.iter().map(|one| column(&table, &one.column, path)).collect::<Result<_, _>>()?;
        let mut recording =
            Recording { path: path.to_owned(), times: Vec::new(), columns: vec![Vec::new(); found.len()], left_out: 0 };
        let (mut from, mut to): (f64, f64) = (f64::NAN, f64::NAN);
        for (row, &t) in time.values.iter().enumerate() {
            let number = |column: &&Column| column.values.get(row).copied().filter(|x| x.is_finite());
            let numbers = found.iter().map(|column| number(column).unwrap_or(f64::NAN));
            if !t.is_finite() || numbers.clone().all(f64::is_nan) {
                continue;
            }
            if t <= to {
                let (path, column) = (path.to_owned(), guessed);
                return Err(RecordingError::Times { path, column, row: row + 1, time: t, before: to });
            }
            (from, to) = (if from.is_nan() { t } else { from }, t);
            if t < -TIME_TOLERANCE * duration || t > (1.0 + TIME_TOLERANCE) * duration {
                recording.left_out += 1;
                continue;
            }
            recording.times.push(t);
            recording.columns.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
        }
        if from.is_nan()
            && let Some((one, column)) = matches.iter().zip(&found).find(|(_, column)| column.words.is_some())
        {
            let (name, words) = (one.column.clone(), column.words.clone());
            return Err(RecordingError::NoNumbers { path: path.to_owned(), name, words });
        }
        if from.is_nan() {
            return Err(RecordingError::Empty { path: path.to_owned() });
        }
        if recording.times.last().is_none_or(|last| *last <= 0.0) {
            return Err(RecordingError::NoOverlap { path: path.to_owned(), from, to, duration });
        }
        let is_empty = |column: &Vec<f64>| column.iter().all(|number| number.is_nan());
        if let Some(at) = recording.columns.iter().position(is_empty) {
            let (name, words) = (matches[at].column.clone(), found[at].words.clone());
            return Err(RecordingError::NoNumbers { path: path.to_owned(), name, words });
        }
        for (at, one) in matches.iter().enumerate() {
            let [zero, unit] = in_unit(&found[at].unit, &units[at]).map_err(|reason| RecordingError::Unit {
                path: path.to_owned(),
                name: one.column.clone(),
                channel: one.channel.clone(),
                reason,
            })?;
            recording.columns[at].iter_mut().for_each(|number| *number = zero + (unit - zero) * *number);
        }
        Ok(recording)
    }

    /// All columns of the file at `path` that are channels, with the units of these by `unit`.
    ///
    /// # Errors
    /// A file that is no table; no column is a channel.
    pub fn all_matches(
        path: &Path,
        unit: impl Fn(&str) -> Option<String>,
    ) -> Result<(Vec<Match>, Vec<String>), RecordingError> {
        let table = table(path)?;
        let own = |name: &str| Match { channel: name.to_owned(), column: name.to_owned() };
        let found: Vec<(Match, String)> = table.names().filter_map(|name| Some((own(name), unit(name)?))).collect();
        if found.is_empty() {
            let columns = table.names().map(str::to_owned).collect();
            return Err(RecordingError::NothingMatches { path: path.to_owned(), columns });
        }
        Ok(found.into_iter().unzip())
    }

    /// A recording of no file, at these times, with zeros in `columns` columns.
    pub fn planned(times: Vec<f64>, columns: usize) -> Self {
        let columns = vec![vec![0.0; times.len()]; columns];
        Recording { path: PathBuf::new(), times, columns, left_out: 0 }
    }
}

/// The table of a recording.
///
/// # Errors
/// A file that is none.
pub fn table(path: &Path) -> Result<Table, RecordingError> {
    read(path).map_err(|error| RecordingError::Table { path: path.to_owned(), error: error.to_string() })
}

/// The column of times of a recording: `time` or `t`, or the first one, then with its name.
pub fn time_column(table: &Table) -> Option<(&Column, Option<String>)> {
    let named = ["time", "t"].into_iter().find_map(|name| table.column(name)).map(|column| (column, None));
    named.or_else(|| table.columns.first().map(|column| (column, Some(column.name.clone()))))
}

/// Zero and one in the unit of a column, in the unit of its channel.
///
/// # Errors
/// Units of other kinds.
pub fn in_unit(column: &str, channel: &str) -> Result<[f64; 2], String> {
    if column.is_empty() || channel.is_empty() || column == channel {
        return Ok([0.0, 1.0]);
    }
    let number = |number: u8| number_in(&format!("{number} {column}"), channel);
    Ok([number(0)?, number(1)?])
}

/// The column of this name.
///
/// # Errors
/// There is none.
pub fn column<'t>(table: &'t Table, name: &str, path: &Path) -> Result<&'t Column, RecordingError> {
    table.column(name).ok_or_else(|| {
        let columns: Vec<String> = table.names().map(str::to_owned).collect();
        let near = kinegraph_core::names::nearest(name, &columns);
        RecordingError::NoColumn { path: path.to_owned(), name: name.to_owned(), near, columns }
    })
}
