//! What the model files say that a person should know: as a table, in short, or as errors (`--strict`).

use super::console::Console;
use crate::files::words::counted;
use crate::files::{FileNote, condensed};
use std::io::{self, Write};

/// The notes, each of a kind once, that nobody should miss: about shapes that should touch and do not, meshes that are
/// not there, and numbers that are likely not those that were meant.
pub(super) fn first(notes: &[FileNote]) -> Vec<FileNote> {
    condensed(notes).into_iter().filter(|note| note.loss || note.doubt).collect()
}

/// How many notes there are, those of a kind together.
pub(super) fn count(notes: &[FileNote]) -> String {
    counted(condensed(notes).len(), "note")
}

/// All notes, those of a kind in one line: the element, its place, what was done with it.
pub(super) fn table(notes: &[FileNote], out: &mut dyn Write) -> io::Result<()> {
    let mut rows = vec![["element".to_owned(), "place".to_owned(), "what was done with it".to_owned()]];
    for note in condensed(notes) {
        let place = note.place().unwrap_or_else(|| "-".into());
        let element = if note.element.is_empty() { "-".into() } else { note.element.clone() };
        let what = FileNote { file: String::new(), ..note }.to_string();
        rows.push([element, place, what]);
    }
    // What is longer shifts its own row only: a long path would push all texts out of sight.
    const MAX_PATH_WIDTH: usize = 48;
    let lengths = |column: usize| rows.iter().map(move |row| row[column].chars().count());
    let width = |column: usize| lengths(column).filter(|length| *length <= MAX_PATH_WIDTH).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    rows.iter().try_for_each(|[element, place, what]| writeln!(out, "  {element:<first$}  {place:<second$}  {what}"))
}

/// Under `--strict` what a model file has that is not, or not quite, simulated is an error: each is reported with its
/// place. Whether there are any.
pub(super) fn refused(notes: &[FileNote], console: &mut Console<'_>) -> io::Result<bool> {
    let refused: Vec<&FileNote> = notes.iter().filter(|note| note.loss || note.departs).collect();
    refused.iter().try_for_each(|note| writeln!(console.err, "{note}"))?;
    if !refused.is_empty() {
        writeln!(console.err, "{}, an error under --strict", counted(refused.len(), "note"))?;
    }
    Ok(!refused.is_empty())
}
