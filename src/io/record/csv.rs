//! Samples as comma-separated values: a header, `time` first, one row per sample.

use super::RowFile;
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::simulate::{Observer, RunStart, Sample, StepReport};
use std::io::{self, Write};
use std::path::Path;

/// Writes each sample as a row. Numbers are written so that they read back to the same bits.
#[derive(Debug)]
pub struct CsvSink<W: Write> {
    writer: csv::Writer<W>,
    /// Number of columns of the header; `None` before it. A live run may record more channels later, which are left
    /// out.
    columns: Option<usize>,
    widened: bool,
}

impl CsvSink<RowFile> {
    /// Creates a sink that writes to a new file at `path` and replaces an existing one.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(CsvSink::new(RowFile::create(path)?))
    }
}

impl<W: Write> CsvSink<W> {
    /// Creates a sink that writes to `writer`.
    pub fn new(writer: W) -> Self {
        CsvSink { writer: csv::Writer::from_writer(writer), columns: None, widened: false }
    }
}

impl<W: Write> Observer for CsvSink<W> {
    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        let header = std::iter::once("time").chain(run.channels.iter().map(|channel| channel.name.as_str()));
        self.columns = Some(run.channels.len());
        self.writer.write_record(header)?;
        self.writer.flush()
    }

    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        // A table of times alone has no information.
        if sample.channels().is_empty() {
            return Ok(());
        }
        let time = sample.time();
        let columns = self.columns.filter(|_| self.widened).unwrap_or(usize::MAX);
        let row = std::iter::once(&time).chain(sample.values().iter().take(columns)).map(|value| format!("{value:?}"));
        self.writer.write_record(row).map_err(io::Error::from)
    }

    fn widened(&mut self, _: &Diagram, _: &[Channel]) -> io::Result<()> {
        self.widened = true;
        Ok(())
    }

    /// Flushes the recorded rows, so that they are not lost during the next step. A full disk stops the run at once.
    fn step(&mut self, _: &StepReport<'_>) -> io::Result<()> {
        self.writer.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
