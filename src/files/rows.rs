//! Faults of the rows of a recording that a file names.

use super::words::counted;
use kinegraph_data::{Column, Table};

/// First fault of the rows: no rows, a gap, times that decrease.
pub(super) fn fault_of(table: &Table, times: &Column, columns: &[&Column]) -> Option<String> {
    let place = |row: usize| match table.lines.get(row) {
        Some(line) => format!("line {line}"),
        None => format!("row {row}"),
    };
    if times.values.is_empty() {
        return Some("it has no rows".into());
    }
    if let Some(words) = std::iter::once(&times).chain(columns).find_map(|column| column.words.clone()) {
        return Some(words);
    }
    for (row, &time) in times.values.iter().enumerate() {
        if let Some(column) = std::iter::once(&times).chain(columns).find(|column| !column.values[row].is_finite()) {
            return Some(format!("{}: `{}` is no number there", place(row), column.name));
        }
        let earlier = row.checked_sub(1).map(|before| times.values[before]);
        if let Some(before) = earlier.filter(|before| *before > time) {
            return Some(format!("{}: the time {time} comes after {before}", place(row)));
        }
        if row > 1 && times.values[row - 2] == time {
            return Some(format!("{}: a third row at {time} s, where {} are a jump", place(row), counted(2, "row")));
        }
    }
    None
}
