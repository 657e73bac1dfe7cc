//! Samples as lines of JSON: an object per sample, `time` first, then the channels by their names.

use super::RowFile;
use kinegraph_engine::simulate::{Observer, RunStart, Sample, StepReport};
use std::io::{self, Write};
use std::path::Path;

/// Writes each sample as a line.
#[derive(Debug)]
pub struct JsonLinesSink<W: Write> {
    out: W,
    /// Names as JSON, each with the characters before and after it.
    names: Vec<String>,
}

impl JsonLinesSink<RowFile> {
    /// Creates a sink that writes to a new file at `path` and replaces an existing one.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(JsonLinesSink::new(RowFile::create(path)?))
    }
}

impl<W: Write> JsonLinesSink<W> {
    /// Creates a sink that writes to `out`.
    pub fn new(out: W) -> Self {
        JsonLinesSink { out, names: Vec::new() }
    }
}

impl<W: Write> Observer for JsonLinesSink<W> {
    fn begin(&mut self, run: &RunStart<'_>) -> io::Result<()> {
        let names = run.channels.iter().map(|channel| serde_json::to_string(&channel.name));
        self.names = names.map(|name| name.map(|name| format!(",{name}:"))).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        write!(self.out, r#"{{"time":"#)?;
        serde_json::to_writer(&mut self.out, &sample.time())?;
        // Values that are not finite become null: JSON cannot represent them.
        for (name, value) in self.names.iter().zip(sample.values()) {
            self.out.write_all(name.as_bytes())?;
            serde_json::to_writer(&mut self.out, value)?;
        }
        self.out.write_all(b"}\n")
    }

    fn step(&mut self, _: &StepReport<'_>) -> io::Result<()> {
        self.out.flush()
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
