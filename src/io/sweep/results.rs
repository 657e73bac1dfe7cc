//! The file of rows of a sweep, which grows as runs end. A killed sweep continues where it stopped: whole rows are
//! kept, and the run of a torn row is repeated.
//!
//! A file next to the rows (`results.csv.sweep.json`) identifies their sweep: rows of another sweep, another diagram
//! file or another version of the program are never mixed with them.

use super::row::{SweepRow, TableCell, columns};
use super::spec::Sweep;
use crate::record::RowFile;
use crate::template::Template;
use kinegraph_engine::io_reason::plain_reason;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object per line.
    JsonLines,
}

/// File of rows on the disk.
#[derive(Debug)]
pub struct Results {
    out: RowFile,
    format: RowFormat,
    columns: Vec<String>,
    /// True if the wall time of each run is the last column.
    timed: bool,
    done: HashSet<u64>,
    failed: Vec<u64>,
}

/// Reason why a file cannot take the rows of a sweep.
#[derive(thiserror::Error)]
pub enum ResultsError {
    /// The format does not follow from its name.
    #[error("{file}: name it .csv or .jsonl")]
    Format {
        /// The file.
        file: String,
    },
    /// The file cannot be read or written.
    #[error("{file}: {reason}")]
    Io {
        /// The file.
        file: String,
        /// Error of the operating system.
        reason: String,
    },
    /// Another process is writing it.
    #[error("{file}: another sweep is writing it")]
    Busy {
        /// The file.
        file: String,
    },
    /// The file is not empty, but has no file next to it that identifies its sweep.
    #[error("{file}: there is such a file, and no {note} that says it is of a sweep: give another name")]
    NoNote {
        /// The file.
        file: String,
        /// The missing file.
        note: String,
    },
    /// The file has rows of another sweep.
    #[error(
        "{file}: holds rows of another sweep ({differs} differs): give this one another name, or delete {file} and {note}"
    )]
    OtherSweep {
        /// The file.
        file: String,
        /// The file that identifies the sweep of its rows.
        note: String,
        /// Names of the differences.
        differs: String,
    },
    /// A line is not a row of this sweep.
    #[error("{file}: line {line} is no row of this sweep: {reason}")]
    Row {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The fault.
        reason: String,
    },
}

kinegraph_core::debug_is_message!(ResultsError);

impl RowFormat {
    /// Returns the format by the name of a file.
    ///
    /// # Errors
    /// [`ResultsError::Format`].
    pub fn of(path: &Path) -> Result<Self, ResultsError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Ok(RowFormat::Csv),
            Some("jsonl" | "ndjson") => Ok(RowFormat::JsonLines),
            _ => Err(ResultsError::Format { file: path.display().to_string() }),
        }
    }

    /// The row as a line. Numbers are written so that they read back to the same bits.
    fn line(self, columns: &[String], cells: &[TableCell]) -> io::Result<Vec<u8>> {
        match self {
            RowFormat::Csv => csv_line(cells.iter().map(|cell| match cell {
                TableCell::None => String::new(),
                TableCell::Number(x) => format!("{x:?}"),
                TableCell::Whole(n) => n.to_string(),
                TableCell::Text(text) => text.clone(),
            })),
            RowFormat::JsonLines => {
                let mut object = Vec::from(*b"{");
                for (i, (name, cell)) in columns.iter().zip(cells).enumerate() {
                    object.extend_from_slice(if i == 0 { b"" } else { b"," });
                    serde_json::to_writer(&mut object, name)?;
                    object.push(b':');
                    // Values that are not finite become null: JSON cannot represent them.
                    serde_json::to_writer(&mut object, cell)?;
                }
                object.extend_from_slice(b"}\n");
                Ok(object)
            }
        }
    }
}

fn csv_line(fields: impl Iterator<Item = impl AsRef<[u8]>>) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields)?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// Identity of a sweep: all that must be equal for rows to be of the same sweep.
fn identity(template: &Template, sweep: &Sweep, timed: bool) -> Value {
    json!({
        "kinegraph_sweep": 1,
        "program": env!("CARGO_PKG_VERSION"),
        "files": format!("{:08x}", template.digest()),
        "set": template.given(),
        "sweep": sweep,
        "wall_time": timed,
    })
}

/// Names of the keys that differ, with those of the sweep one by one.
fn differences(old: &Value, new: &Value) -> String {
    let empty = Map::new();
    let flat = |value: &Value| -> Vec<(String, Value)> {
        let outer = value.as_object().unwrap_or(&empty).iter().filter(|(key, _)| *key != "sweep");
        let inner = value["sweep"].as_object().unwrap_or(&empty).iter();
        outer.chain(inner).map(|(key, value)| (key.clone(), value.clone())).collect()
    };
    let (old, new) = (flat(old), flat(new));
    let all = new.iter().filter(|entry| !old.contains(entry)).chain(old.iter().filter(|entry| !new.contains(entry)));
    let mut names: Vec<&str> = all.map(|(key, _)| key.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

impl Results {
    /// Opens the file of rows of `sweep` at `path`, a new one or one to continue. If `timed`, rows include the wall
    /// time of each run, which is never the same twice.
    ///
    /// # Errors
    /// A file that cannot be written, is in use, or has other content.
    pub fn open(path: &Path, template: &Template, sweep: &Sweep, timed: bool) -> Result<Self, ResultsError> {
        let format = RowFormat::of(path)?;
        let (file, note) = (path.display().to_string(), note_of(path));
        let reported = note.display().to_string();
        let io = |error: io::Error| ResultsError::Io { file: file.clone(), reason: plain_reason(&error) };
        let rows = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        match rows.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(ResultsError::Busy { file }),
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let is_new = rows.metadata().map_err(io)?.len() == 0;
        let identity = identity(template, sweep, timed);
        let old: Option<Value> = fs::read(&note).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        match old {
            Some(old) if old == identity => {}
            _ if is_new => write_note(&note, &identity).map_err(io)?,
            Some(old) => {
                let differs = differences(&old, &identity);
                return Err(ResultsError::OtherSweep { file, note: reported, differs });
            }
            None => return Err(ResultsError::NoNote { file, note: reported }),
        }
        let mut columns = columns(sweep);
        columns.extend(timed.then(|| "wall_s".to_owned()));
        let Kept { done, failed, whole } = match format {
            RowFormat::Csv => kept_csv(&rows, &file, &columns, sweep.len())?,
            RowFormat::JsonLines => kept_lines(&rows, &file, sweep.len())?,
        };
        rows.set_len(whole).map_err(io)?;
        let mut out = RowFile::going_on(rows, file.clone(), whole).map_err(io)?;
        if whole == 0 && format == RowFormat::Csv {
            let header = csv_line(columns.iter()).and_then(|header| {
                out.write_all(&header)?;
                out.flush()
            });
            header.map_err(io)?;
        }
        Ok(Results { out, format, columns, timed, done, failed })
    }

    /// True if there is a row of run `index`.
    pub fn has(&self, index: u64) -> bool {
        self.done.contains(&index)
    }

    /// Number of rows.
    pub fn len(&self) -> u64 {
        self.done.len() as u64
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Indices of the runs that did not reach their end, in the order in which they ended.
    pub fn failed(&self) -> &[u64] {
        &self.failed
    }

    /// Indices of the runs that have rows.
    pub fn indices(&self) -> &HashSet<u64> {
        &self.done
    }

    /// Adds a row and writes it to the file.
    ///
    /// # Errors
    /// A row that does not fit on the disk. The file ends with the last whole row.
    pub fn add(&mut self, row: &SweepRow) -> io::Result<()> {
        let mut cells = row.cells_of(self.columns.len() - usize::from(self.timed));
        cells.extend(self.timed.then_some(TableCell::Number(row.wall_s)));
        self.out.write_all(&self.format.line(&self.columns, &cells)?)?;
        self.out.flush()?;
        self.done.insert(row.variation.index);
        if !row.is_done() {
            self.failed.push(row.variation.index);
        }
        Ok(())
    }
}

/// Writes a row, or the header, as CSV to standard output or another writer.
///
/// # Errors
/// Errors of the writer.
pub fn write_csv(out: &mut dyn Write, columns: &[String], row: Option<&SweepRow>) -> io::Result<()> {
    match row {
        None => out.write_all(&csv_line(columns.iter())?)?,
        Some(row) => out.write_all(&RowFormat::Csv.line(columns, &row.cells_of(columns.len()))?)?,
    }
    out.flush()
}

/// File that identifies the sweep of the rows at `path`.
pub fn note_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".sweep.json");
    name.into()
}

/// Writes the whole file or nothing.
fn write_note(note: &Path, identity: &Value) -> io::Result<()> {
    let mut text = serde_json::to_vec_pretty(identity)?;
    text.push(b'\n');
    kinegraph_engine::whole_file::write(note, &text)
}

/// Content of a file that is continued.
struct Kept {
    done: HashSet<u64>,
    failed: Vec<u64>,
    /// Bytes of whole rows.
    whole: u64,
}

fn kept_csv(rows: &File, file: &str, columns: &[String], len: u64) -> Result<Kept, ResultsError> {
    let fault = |line: usize, reason: &str| ResultsError::Row { file: file.into(), line, reason: reason.into() };
    let status = columns.iter().position(|name| name == "status").unwrap_or(0);
    let mut kept = Kept { done: HashSet::new(), failed: Vec::new(), whole: 0 };
    each_line(rows, file, |line, text| {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text);
        let mut fields = csv::StringRecord::new();
        match reader.read_record(&mut fields) {
            Ok(true) if fields.len() == columns.len() => {}
            _ => return Err(fault(line, "it has another number of fields")),
        }
        if line == 1 {
            return if fields.iter().eq(columns) { Ok(()) } else { Err(fault(line, "other columns")) };
        }
        kept.take(fields[0].parse().ok(), fields[status].to_owned(), len).map_err(|reason| fault(line, &reason))
    })
    .map(|whole| Kept { whole, ..kept })
}

fn kept_lines(rows: &File, file: &str, len: u64) -> Result<Kept, ResultsError> {
    let fault = |line: usize, reason: &str| ResultsError::Row { file: file.into(), line, reason: reason.into() };
    let mut kept = Kept { done: HashSet::new(), failed: Vec::new(), whole: 0 };
    each_line(rows, file, |line, text| {
        let object: Value = serde_json::from_slice(text).map_err(|error| fault(line, &error.to_string()))?;
        let status = object["status"].as_str().unwrap_or_default().to_owned();
        kept.take(object["index"].as_u64(), status, len).map_err(|reason| fault(line, &reason))
    })
    .map(|whole| Kept { whole, ..kept })
}

impl Kept {
    fn take(&mut self, index: Option<u64>, status: String, len: u64) -> Result<(), String> {
        match index.filter(|index| *index < len) {
            Some(index) if self.done.insert(index) => {
                if status != "done" {
                    self.failed.push(index);
                }
                Ok(())
            }
            Some(index) => Err(format!("run {index} comes twice")),
            None => Err(format!("its index is not one of {len} runs")),
        }
    }
}

/// Calls `take` with every whole line and its number; returns the total length of whole lines.
fn each_line(
    rows: &File,
    file: &str,
    mut take: impl FnMut(usize, &[u8]) -> Result<(), ResultsError>,
) -> Result<u64, ResultsError> {
    let (mut reader, mut line, mut whole) = (BufReader::new(rows), Vec::new(), 0);
    for number in 1.. {
        line.clear();
        let read = reader.read_until(b'\n', &mut line);
        let read = read.map_err(|error| ResultsError::Io { file: file.into(), reason: plain_reason(&error) })?;
        if line.last() != Some(&b'\n') {
            break;
        }
        take(number, &line)?;
        whole += read as u64;
    }
    Ok(whole)
}
