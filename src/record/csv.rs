//! Samples as comma-separated values: a header, `time` first, one row per sample.

use super::RowFile;
use crate::diagram::{Channel, Diagram};
use crate::simulate::{Observer, RunStart, Sample, StepReport};
use std::io::{self, Write};
use std::path::Path;

/// Writes each sample as a row. Numbers are written so that they read back to the same bits.
#[derive(Debug)]
pub struct CsvSink<W: Write> {
    writer: csv::Writer<W>,
    /// A live run may be asked for more; a table has the columns of its header. `None` before it.
    columns: Option<usize>,
    widened: bool,
}

impl CsvSink<RowFile> {
    /// Writes to a new file at `path`, in place of one that is there.
    ///
    /// # Errors
    /// Where the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(CsvSink::new(RowFile::create(path)?))
    }
}

impl<W: Write> CsvSink<W> {
    /// Writes to `writer`.
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
        // A table of times alone says nothing.
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

    /// What was recorded is not to be lost in the step to come, and a full disk stops the run while it is full.
    fn step(&mut self, _: &StepReport<'_>) -> io::Result<()> {
        self.writer.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::DiagramBuilder;
    use crate::simulate::Sampler;
    use crate::systems::dynamics::Integrator;

    /// Two integrators, whose outputs are their states.
    fn diagram() -> Diagram {
        let mut builder = DiagramBuilder::new("two");
        for name in ["a", "b"] {
            let block = builder.add(name, Integrator::new([0.0]).unwrap());
            builder.fix(block.input, [0.0]);
        }
        builder.build().unwrap()
    }

    fn start<'a>(diagram: &'a Diagram, channels: &'a [crate::diagram::Channel]) -> RunStart<'a> {
        RunStart { diagram, channels, time: 0.0, end: 1.0, every: 0.1, integrator: "rk3", accuracy: None }
    }

    #[test]
    fn rows_read_back_to_the_same_numbers() {
        let rows = [(0.0, [1.0 / 3.0, -1e-300]), (0.1 + 0.2, [f64::MAX, 5e-324])];
        let diagram = diagram();
        let channels = [diagram.find_channels("a.output").unwrap(), diagram.find_channels("b.output").unwrap()];
        let channels = channels.concat();
        let mut sampler = Sampler::new(&diagram, &channels);
        let start = start(&diagram, &channels);
        let mut bytes = Vec::new();
        let mut sink = CsvSink::new(&mut bytes);
        sink.begin(&start).expect("header");
        for (time, values) in &rows {
            let mut state = diagram.initial_state();
            (state.time, state.continuous) = (*time, values.to_vec());
            sink.sample(&mut sampler.sample(&state, &[])).expect("row");
        }
        sink.end().expect("flush");
        drop(sink);

        let mut reader = csv::Reader::from_reader(bytes.as_slice());
        assert_eq!(reader.headers().expect("header"), vec!["time", "a.output", "b.output"]);
        let read: Vec<(f64, [f64; 2])> = reader.deserialize().map(|row| row.expect("a row")).collect();
        assert_eq!(read, rows);
    }

    #[test]
    fn a_sample_of_the_wrong_width_is_an_error_not_a_crooked_table() {
        let diagram = diagram();
        let channels = diagram.find_channels("a.output").unwrap();
        let mut sink = CsvSink::new(Vec::new());
        let both = [&channels[..], &channels[..]].concat();
        sink.begin(&start(&diagram, &both)).expect("header");
        let state = diagram.initial_state();
        assert!(sink.sample(&mut Sampler::new(&diagram, &channels).sample(&state, &[])).is_err());
    }
}
