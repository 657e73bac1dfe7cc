//! Tables with a JSON object in each line, whose names are those of the columns.

use super::fault::TableError;
use super::table::{Column, Table};

/// Names of columns that stand first, which the parser sorts among the others.
const FIRST: [&str; 2] = ["time", "index"];

/// Parses the whole lines of a table. The names are those of the first line; what is missing is no number.
pub(super) fn parse(rows: &[u8]) -> Result<Table, TableError> {
    let mut table = Table::default();
    for (i, row) in rows.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let line = i as u64 + 1;
        let wrong = |error: serde_json::Error| TableError::Table(format!("line {line} is no JSON object: {error}"));
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(row).map_err(wrong)?;
        if table.columns.is_empty() {
            let first = FIRST.into_iter().filter(|name| object.contains_key(*name));
            let others = object.keys().map(String::as_str).filter(|name| !FIRST.contains(name));
            table.columns = first.chain(others).map(Column::of_head).collect();
        }
        for column in &mut table.columns {
            column.values.push(object.get(&column.name).and_then(serde_json::Value::as_f64).unwrap_or(f64::NAN));
        }
        table.lines.push(line);
    }
    match table.columns.is_empty() {
        true => Err(TableError::Table("it has no whole row".into())),
        false => Ok(table),
    }
}
