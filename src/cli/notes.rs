//! Notes on model files: as a table, in short, or as errors (`--strict`).

use super::console::Console;
use crate::files::words::counted;
use crate::files::{FileNote, condensed};
use std::io::{self, Write};

/// Most important notes, similar ones combined: shapes that should take part in contact and do not, meshes that are
/// missing, and numbers that are probably not the intended ones.
pub(super) fn first(notes: &[FileNote]) -> Vec<FileNote> {
    condensed(notes).into_iter().filter(|note| note.loss || note.doubt).collect()
}

/// Number of notes, similar ones counted once.
pub(super) fn count(notes: &[FileNote]) -> String {
    counted(condensed(notes).len(), "note")
}

/// Table of all notes, similar ones in one line: the element, its place, the treatment.
pub(super) fn table(notes: &[FileNote], out: &mut dyn Write) -> io::Result<()> {
    let mut rows = vec![["element".to_owned(), "place".to_owned(), "what was done with it".to_owned()]];
    for note in condensed(notes) {
        let place = note.place().unwrap_or_else(|| "-".into());
        let element = if note.element.is_empty() { "-".into() } else { note.element.clone() };
        let what = FileNote { file: String::new(), ..note }.to_string();
        rows.push([element, place, what]);
    }
    // A longer path shifts only its own row; a column of its width would push all texts out of sight.
    const MAX_PATH_WIDTH: usize = 48;
    let lengths = |column: usize| rows.iter().map(move |row| row[column].chars().count());
    let width = |column: usize| lengths(column).filter(|length| *length <= MAX_PATH_WIDTH).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    rows.iter().try_for_each(|[element, place, what]| writeln!(out, "  {element:<first$}  {place:<second$}  {what}"))
}

/// Reports, under `--strict`, every note on something in a model file that is not simulated exactly. Returns true if
/// there are any.
pub(super) fn refused(notes: &[FileNote], console: &mut Console<'_>) -> io::Result<bool> {
    let refused: Vec<&FileNote> = notes.iter().filter(|note| note.loss || note.departs).collect();
    refused.iter().try_for_each(|note| writeln!(console.err, "{note}"))?;
    if !refused.is_empty() {
        writeln!(console.err, "{}, an error under --strict", counted(refused.len(), "note"))?;
    }
    Ok(!refused.is_empty())
}
