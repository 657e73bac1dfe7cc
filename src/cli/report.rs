//! Faults on the console: one line each, and on a terminal the place in the file.

use super::Console;
use crate::files::{FileFault, FileFaults};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource, Report, SourceSpan};
use std::io;

/// Writes all faults; `text` is the diagram file's, for excerpts.
pub(super) fn faults(faults: &FileFaults, text: &str, console: &mut Console<'_>) -> io::Result<()> {
    if console.interactive {
        for fault in &faults.0 {
            match excerpt(fault, text) {
                Some(shown) => write!(console.err, "{shown}")?,
                None => plain(fault, console)?,
            }
        }
    } else {
        for fault in &faults.0 {
            plain(fault, console)?;
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
    let length = at.length.max(1);
    let end = at.offset.checked_add(length).filter(|end| *end <= text.len());
    // A fault at the very end of the file points at its last byte.
    let start = if end.is_some() { at.offset } else { text.len().checked_sub(1)? };
    let span = SourceSpan::new(start.into(), end.map_or(1, |end| end - start));
    let mut diagnostic =
        MietteDiagnostic::new(fault.kind.to_string()).with_label(LabeledSpan::new_with_span(None, span));
    diagnostic.help = fault.kind.help();
    let report = Report::new(diagnostic).with_source_code(NamedSource::new(&fault.file, text.to_owned()));
    let mut shown = String::new();
    GraphicalReportHandler::new_themed(GraphicalTheme::default())
        .with_context_lines(1)
        .render_report(&mut shown, report.as_ref())
        .ok()?;
    Some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::load_str;
    use std::path::Path;

    /// Every place must be drawable, a fault at the very end of the text included.
    #[test]
    fn every_fault_has_an_excerpt_with_its_line() {
        for text in ["kinegraph: 1\nnäme: x\nsystems: {}\n", "", "kinegraph: 1\na: [", "é", "kinegraph: 2"] {
            let error = load_str(Path::new("d.yaml"), text, &[]).expect_err("a fault");
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let mut console = Console { out: &mut out, err: &mut err, interactive: true };
            faults(&error.faults, &error.text, &mut console).expect("a message");
            let shown = String::from_utf8(err).expect("text");
            for fault in &error.faults.0 {
                assert!(shown.contains("d.yaml"), "{fault}\n{shown}");
            }
        }
    }
}
