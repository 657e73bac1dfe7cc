//! Faults on the console: one line each, and on a terminal the place in the file.

use super::console::Console;
use super::text_only::{printed, styled};
use crate::files::{FileFault, FileFaults, read_text};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::io;
use std::path::Path;

/// Writes all faults; `text` is what the diagram file `name` says, for excerpts.
pub fn faults(faults: &FileFaults, name: &str, text: &str, console: &mut Console<'_>) -> io::Result<()> {
    for fault in &faults.0 {
        let shown = if !console.interactive {
            None
        } else if fault.file == name {
            excerpt(fault, text)
        } else {
            // A fault of a model file is about that file's text.
            read_text(Path::new(&fault.file)).ok().and_then(|text| excerpt(fault, &text))
        };
        match shown {
            Some(shown) => styled(console.err, &shown)?,
            None => plain(fault, console)?,
        }
    }
    match faults.0.len() {
        0 | 1 => Ok(()),
        n => writeln!(console.err, "{n} faults"),
    }
}

fn plain(fault: &FileFault, console: &mut Console<'_>) -> io::Result<()> {
    writeln!(console.err, "{fault}")?;
    match fault.kind.help() {
        Some(help) => writeln!(console.err, "  help: {help}"),
        None => Ok(()),
    }
}

/// The fault with the line of the file it is about; `None` where it is about no line.
fn excerpt(fault: &FileFault, text: &str) -> Option<String> {
    let at = fault.at?;
    // What a terminal would obey is not shown as it stands.
    if text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return None;
    }
    let start = offset(text, at.line, at.column)?;
    // At least one character, so that there is something to underline.
    let first = text[start..].chars().next().map_or(0, char::len_utf8);
    let length = text.get(start..start + at.length).map_or(first, |value| value.len().max(first));
    let place = Snippet::source(text)
        .path(printed(&fault.file))
        .annotation(AnnotationKind::Primary.span(start..start + length));
    let shown = Level::ERROR.primary_title(printed(&fault.kind.to_string())).element(place);
    let shown = shown.elements(fault.kind.help().map(|help| Level::HELP.message(printed(&help))));
    let renderer = if colours() { Renderer::styled() } else { Renderer::plain() };
    Some(renderer.render(&[shown]) + "\n")
}

/// Whether colours are welcome on the terminal (<https://no-color.org>).
fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Byte offset of a line and column, both from 1; `None` where the text is shorter.
fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let lines = text.split_inclusive('\n').chain(std::iter::once(""));
    let mut start = 0;
    for (i, content) in lines.enumerate() {
        if i + 1 == line {
            let within = content.char_indices().nth(column.checked_sub(1)?).map_or(content.len(), |(at, _)| at);
            return Some(start + within);
        }
        start += content.len();
    }
    None
}
