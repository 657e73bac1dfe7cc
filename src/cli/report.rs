//! Faults on the console: one line each, and on a terminal also the place in the file.

use super::console::Console;
use super::text_only::{printed, styled};
use crate::files::{FileFault, FileFaults, read_text};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::io;
use std::path::Path;

/// Writes all faults; `text` is the text of the diagram file `name`, for excerpts.
pub fn faults(faults: &FileFaults, name: &str, text: &str, console: &mut Console<'_>) -> io::Result<()> {
    for fault in &faults.0 {
        let shown = if !console.interactive {
            None
        } else if fault.file == name {
            excerpt(fault, text)
        } else {
            // A fault of a model file refers to the text of that file.
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

/// The fault with its line of the file; `None` if it refers to no line.
fn excerpt(fault: &FileFault, text: &str) -> Option<String> {
    let at = fault.at?;
    // A text with control characters, which a terminal would execute, is not shown.
    if text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return None;
    }
    let start = offset(text, at.line, at.column)?;
    // At least one character is underlined.
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

/// True if colours are allowed on the terminal (<https://no-color.org>).
fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Byte offset of a line and column, both from 1; `None` if the text is shorter.
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
