//! Tables in CSV: a head with names, then a row of numbers in each line.

use super::fault::{TableError, quoted};
use super::table::{Column, Table};

/// Parses the whole lines of a table. An empty field is no number, nor are words.
pub(super) fn parse(rows: &[u8]) -> Result<Table, TableError> {
    let mut reader = csv::Reader::from_reader(rows);
    let mut columns: Vec<Column> = reader.headers().map_err(no_table)?.iter().map(Column::of_head).collect();
    if columns.is_empty() {
        return Err(TableError::Table("it has no whole row".into()));
    }
    let (mut lines, mut row) = (Vec::new(), csv::StringRecord::new());
    while reader.read_record(&mut row).map_err(no_table)? {
        let line = row.position().map_or(0, csv::Position::line);
        for (column, text) in columns.iter_mut().zip(&row) {
            let text = text.trim();
            let number = text.parse().ok();
            if number.is_none() && !text.is_empty() && column.words.is_none() {
                column.words = Some(format!("line {line}: {} is {}, no number", column.name, quoted(text)));
            }
            column.values.push(number.unwrap_or(f64::NAN));
        }
        lines.push(line);
    }
    Ok(Table { columns, lines, is_torn: false })
}

/// Describes the fault of a table.
fn no_table(error: csv::Error) -> TableError {
    let line = |position: &Option<csv::Position>| position.as_ref().map_or(0, csv::Position::line);
    TableError::Table(match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            format!("line {} has {len} fields, not {expected_len}", line(pos))
        }
        csv::ErrorKind::Utf8 { pos, .. } => format!("line {} is no text (UTF-8)", line(pos)),
        _ => format!("it is no table: {error}"),
    })
}
