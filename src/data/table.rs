//! A table of recorded numbers.

use super::fault::TableError;
use super::whole_lines::whole_lines;
use super::{csv, json_lines, recording};
use kinegraph_core::memory;
use kinegraph_engine::input_file;
use std::path::Path;

/// Recorded numbers, column by column; a number that is missing is not a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns, all of one length. The first of a recording is `time`.
    pub columns: Vec<Column>,
    /// Line of the file in which each row stands; empty where rows have no lines.
    pub lines: Vec<u64>,
    /// True if the file ends in the middle of a row, or without the end of its run.
    pub is_torn: bool,
}

/// One column of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Name, without its unit.
    pub name: String,
    /// Unit as the file states it; may be empty.
    pub unit: String,
    /// True if it changes at sample times only, as far as the file says.
    pub sampled: bool,
    /// Numbers of all rows.
    pub values: Vec<f64>,
    /// The first text of the column that is no number, with its line, as a message; a sweep has columns of words.
    pub words: Option<String>,
}

impl Column {
    /// A column without numbers. A head `speed [m/s]` states the unit.
    pub(super) fn of_head(head: &str) -> Self {
        let head = head.trim();
        let stated = head.strip_suffix(']').and_then(|head| head.split_once(" ["));
        let (name, unit) = stated.unwrap_or((head, ""));
        Column { name: name.to_owned(), unit: unit.to_owned(), ..Column::default() }
    }
}

impl Table {
    /// Column of this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Names of all columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }
}

/// Reads the file at `path`: `.mcap` is a recording, `.jsonl` and `.ndjson` have a JSON object in each line, all else
/// is a table (CSV) with a head.
///
/// # Errors
/// A file that cannot be read, that is too large for the memory, or that is no table.
pub fn read(path: &Path) -> Result<Table, TableError> {
    // Memory for the text and twice its numbers: all that are read, and those of the chosen channels.
    let length = path.metadata().map_or(0, |data| data.len());
    memory::ask(|| "the table".to_owned(), 4 * length)?;
    parse(path, &input_file::read(path)?)
}

/// Reads the content of a file as [`read`] does; its name at `path` states the format.
///
/// # Errors
/// As [`read`].
pub fn parse(path: &Path, bytes: &[u8]) -> Result<Table, TableError> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    if extension.as_deref() == Some("mcap") {
        return recording::parse(bytes);
    }
    if let Some(remedy) = extension.as_deref().and_then(other_format) {
        return Err(TableError::Table(remedy));
    }
    if bytes.is_empty() {
        return Err(TableError::Table("it is empty".into()));
    }
    let (rows, is_torn) = whole_lines(bytes);
    let table = match extension.as_deref() {
        Some("jsonl" | "ndjson") => json_lines::parse(rows)?,
        _ => csv::parse(rows)?,
    };
    Ok(Table { is_torn, ..table })
}

/// Formats of other programs, by their endings, and how pandas reads them.
const OTHER_FORMATS: [(&[&str], &str); 4] = [
    (&["parquet", "pq"], "read_parquet"),
    (&["feather", "arrow"], "read_feather"),
    (&["xlsx", "xls", "ods"], "read_excel"),
    (&["h5", "hdf5", "hdf"], "read_hdf"),
];

/// How a file of a format that is not read becomes one that is.
fn other_format(ending: &str) -> Option<String> {
    let (_, reader) = OTHER_FORMATS.iter().find(|(endings, _)| endings.contains(&ending))?;
    Some(format!(
        ".{ending} is not read; in Python `pandas.{reader}(\"FILE.{ending}\").to_csv(\"FILE.csv\", index=False)` \
         writes a table that is"
    ))
}
