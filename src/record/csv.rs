//! Samples as comma-separated values: a header, `time` first, one row per sample.

use crate::simulate::Observer;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes each sample as a row. Numbers are written so that they read back to the same bits.
#[derive(Debug)]
pub struct CsvSink<W: Write> {
    writer: csv::Writer<W>,
}

impl CsvSink<BufWriter<File>> {
    /// Writes to a new file at `path`, in place of one that is there.
    ///
    /// # Errors
    /// Where the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(CsvSink::new(BufWriter::new(File::create(path)?)))
    }
}

impl<W: Write> CsvSink<W> {
    /// Writes to `writer`.
    pub fn new(writer: W) -> Self {
        CsvSink { writer: csv::Writer::from_writer(writer) }
    }
}

impl<W: Write> Observer for CsvSink<W> {
    fn begin(&mut self, channels: &[String]) -> io::Result<()> {
        let header = std::iter::once("time").chain(channels.iter().map(String::as_str));
        self.writer.write_record(header).map_err(io::Error::from)
    }

    fn sample(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        let row = std::iter::once(&time).chain(values).map(|value| format!("{value:?}"));
        self.writer.write_record(row).map_err(io::Error::from)
    }

    fn end(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_read_back_to_the_same_numbers() {
        let rows = [(0.0, [1.0 / 3.0, -1e-300]), (0.1 + 0.2, [f64::MAX, 5e-324])];
        let mut bytes = Vec::new();
        let mut sink = CsvSink::new(&mut bytes);
        sink.begin(&["plant.a.q".into(), "plant.a, b".into()]).expect("header");
        for (time, values) in &rows {
            sink.sample(*time, values).expect("row");
        }
        sink.end().expect("flush");
        drop(sink);

        let mut reader = csv::Reader::from_reader(bytes.as_slice());
        assert_eq!(reader.headers().expect("header"), vec!["time", "plant.a.q", "plant.a, b"]);
        let read: Vec<(f64, [f64; 2])> = reader.deserialize().map(|row| row.expect("a row")).collect();
        assert_eq!(read, rows);
    }

    #[test]
    fn a_sample_of_the_wrong_width_is_an_error_not_a_crooked_table() {
        let mut sink = CsvSink::new(Vec::new());
        sink.begin(&["a".into(), "b".into()]).expect("header");
        assert!(sink.sample(0.0, &[1.0]).is_err());
    }
}
