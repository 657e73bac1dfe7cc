//! Recordings that a file names: their numbers in SI units, and the faults of their rows.

use super::loader::Loader;
use super::words::{counted, listed};
use kinegraph_core::names::{did_you_mean, nearest};
use kinegraph_core::unit::{Dimension, Unit};
use kinegraph_data::{Column, Table};
use std::path::Path;

/// First fault of the rows: no rows, a gap, times that decrease, a name that two columns have.
pub(super) fn fault_of(table: &Table, times: &Column, columns: &[&Column]) -> Option<String> {
    let place = |row: usize| match table.lines.get(row) {
        Some(line) => format!("line {line}"),
        None => format!("row {row}"),
    };
    let all = || std::iter::once(&times).chain(columns);
    if let Some(twice) = all().find(|one| table.names().filter(|name| *name == one.name).count() > 1) {
        return Some(format!("two columns have the name `{}`: rename one of them", twice.name));
    }
    if times.values.is_empty() {
        return Some("it has a head and no rows".into());
    }
    if let Some(unit) = Unit::read(&times.unit).filter(|unit| !unit.gives(Dimension::SECOND)) {
        let name = &times.name;
        return Some(format!(
            "its times `{name}` are in {}, not in seconds: `time` names the column of times",
            unit.name
        ));
    }
    if let Some(words) = all().find_map(|column| column.words.clone()) {
        return Some(words);
    }
    for (row, &time) in times.values.iter().enumerate() {
        if let Some(column) = all().find(|column| !column.values[row].is_finite()) {
            let (name, what) = (&column.name, if column.values[row].is_nan() { "no number" } else { "infinite" });
            return Some(format!("{}: `{name}` is {what} there: fill it in, or leave out the row", place(row)));
        }
        let earlier = row.checked_sub(1).map(|before| times.values[before]);
        if let Some(before) = earlier.filter(|before| *before > time) {
            return Some(format!("{}: the time {time} comes after {before}: times may not decrease", place(row)));
        }
        if row > 1 && times.values[row - 2] == time {
            let two = counted(2, "row");
            return Some(format!("{}: a third row at {time} s, where {two} are a jump: leave one out", place(row)));
        }
    }
    None
}

/// Message on a column that a recording does not have.
pub(super) fn without_column(file: &Path, table: &Table, name: &str) -> String {
    let without_unit = name.split_once(" [").map(|(name, _)| name).filter(|name| table.column(name).is_some());
    let remedy = match (without_unit, nearest(name, table.names())) {
        (Some(name), _) => format!("; write `{name}`: the unit in the head is no part of the name"),
        (None, Some(near)) => did_you_mean(&Some(near)),
        (None, None) => format!("; its columns: {}", listed(&table.names().collect::<Vec<_>>())),
    };
    format!("{} has no column `{name}`{remedy}", file.display())
}

/// Numbers of a column in SI units, and their unit; `None` where its head has none that is known.
pub(super) fn in_si(column: &Column) -> (Vec<f64>, Option<Unit>) {
    let unit = Unit::read(&column.unit);
    let values = match &unit {
        Some(unit) => column.values.iter().map(|x| unit.to_si(*x)).collect(),
        None => column.values.clone(),
    };
    (values, unit)
}

/// Notes what was left out of a recording, or not understood: a last line without its end, units that are none.
pub(super) fn note_doubts(file: &Path, table: &Table, columns: &[&Column], loader: &Loader) {
    let file = file.display();
    let is_text = !table.lines.is_empty();
    if table.is_torn && is_text {
        loader.note_doubt(format!("{file}: its last line has no line end and may be cut: it is left out"));
    }
    for Column { name, unit, .. } in
        columns.iter().filter(|one| !one.unit.is_empty() && Unit::read(&one.unit).is_none())
    {
        loader.note_doubt(format!(
            "{file}: `{unit}` of `{name}` is no unit of SI symbols: its numbers are taken as they are"
        ));
    }
}
