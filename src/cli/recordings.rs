//! Sinks of `--record FILE`: by the name a table, lines of JSON, or a whole recording.

use super::output::cannot_write;
use crate::record::csv::CsvSink;
use crate::record::json_lines::JsonLinesSink;
use crate::record::mcap::McapSink;
use crate::scene::View;
use crate::simulate::Observer;
use std::path::{Path, PathBuf};

/// Creates a sink for each of `files`, which were claimed; an error message for the first that fails.
pub(super) fn recordings(
    files: &[PathBuf],
    view: Option<View>,
    pictures: &[String],
) -> Result<Vec<Box<dyn Observer>>, String> {
    files.iter().map(|file| sink(file, view, pictures)).collect()
}

fn sink(file: &Path, view: Option<View>, pictures: &[String]) -> Result<Box<dyn Observer>, String> {
    let extension = file.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let made: std::io::Result<Box<dyn Observer>> = match extension.as_deref() {
        Some("mcap") => McapSink::create(file, view)
            .map(|sink| Box::new(sink.with_pictures(pictures.to_vec())) as Box<dyn Observer>),
        Some("jsonl" | "ndjson") => JsonLinesSink::create(file).map(|sink| Box::new(sink) as Box<dyn Observer>),
        // A table can also be written to a device or a pipe.
        _ => CsvSink::create(file).map(|sink| Box::new(sink) as Box<dyn Observer>),
    };
    made.map_err(|error| cannot_write("--record", file, &error))
}
