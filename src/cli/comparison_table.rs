//! Comparison as a table: for the console, as Markdown, as CSV.

use super::numbers::short;
use crate::compare::{Comparison, Origin, Row};
use crate::files::node::show_number;
use std::fmt::{self, Display};
use std::io;

const HEAD: [&str; 10] = [
    "integrator",
    "accuracy or step",
    "end error",
    "largest error",
    "time [s]",
    "steps",
    "rejected",
    "evaluations",
    "deepest [m]",
    "energy drift [J]",
];

/// Table for the console: columns of equal width, and a line with the reason for each run that did not reach its end,
/// and for each that does not meet the requirements of its file.
pub(super) struct Table<'a>(pub(super) &'a Comparison);

/// Table in Markdown.
pub(super) struct Markdown<'a>(pub(super) &'a Comparison);

fn cells(row: &Row) -> [String; 10] {
    let or_dash = |value: Option<f64>| value.map_or("-".to_owned(), short);
    let digits = |value: Option<f64>| match value {
        None => "-".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(x) => format!("{x:.1e}"),
    };
    let setting = match (row.accuracy, row.step) {
        (Some(accuracy), _) => show_number(accuracy),
        (None, Some(step)) => format!("{} s", show_number(step)),
        (None, None) => "-".into(),
    };
    [
        row.integrator.to_owned(),
        setting,
        digits(row.end_error),
        digits(row.largest_error),
        short(row.wall_s),
        row.steps.to_string(),
        row.rejected_steps.to_string(),
        row.evaluations.to_string(),
        if row.max_penetration > 0.0 { short(row.max_penetration) } else { "-".into() },
        or_dash(row.energy_drift),
    ]
}

/// Caption of the table.
fn caption(comparison: &Comparison) -> String {
    let against = match &comparison.reference {
        Origin::File { file } => file.clone(),
        Origin::Run { integrator, accuracy, wall_s } => {
            format!("{integrator} at {} ({} s)", short(*accuracy), short(*wall_s))
        }
    };
    format!("{}, {} s; errors against {against}", comparison.diagram, short(comparison.duration))
}

impl Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rows: Vec<[String; 10]> = self.0.rows.iter().map(cells).collect();
        let mut widths = HEAD.map(str::len);
        for row in &rows {
            widths.iter_mut().zip(row).for_each(|(width, cell)| *width = (*width).max(cell.chars().count()));
        }
        let line = |f: &mut fmt::Formatter, cells: &[String; 10]| -> fmt::Result {
            write!(f, "{:<1$}", cells[0], widths[0])?;
            cells.iter().zip(widths).skip(1).try_for_each(|(cell, width)| write!(f, "  {cell:>width$}"))?;
            writeln!(f)
        };
        writeln!(f, "{}", caption(self.0))?;
        line(f, &HEAD.map(str::to_owned))?;
        for (cells, row) in rows.iter().zip(&self.0.rows) {
            line(f, cells)?;
            if !row.is_done() {
                writeln!(f, "  {}", row.status)?;
            }
            if let Some(requirements) = row.requirements.as_ref().filter(|judged| *judged != "met") {
                writeln!(f, "  {requirements}")?;
            }
        }
        Ok(())
    }
}

impl Display for Markdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}\n\n| {} |\n|{}", caption(self.0), HEAD.join(" | "), "---|".repeat(HEAD.len()))?;
        for row in &self.0.rows {
            let status = if row.is_done() { String::new() } else { format!(": {}", row.status.replace('|', "\\|")) };
            let [name, others @ ..] = cells(row);
            writeln!(f, "| `{name}`{status} | {} |", others.join(" | "))?;
        }
        Ok(())
    }
}

/// Comma-separated values; the header has the keys of the JSON object.
pub(super) fn csv(comparison: &Comparison) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in &comparison.rows {
        writer.serialize(row)?;
    }
    let bytes = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    String::from_utf8(bytes).map_err(io::Error::other)
}
