//! Tables in CSV: a head with names, then a row of numbers in each line.

use super::fault::{TableError, quoted};
use super::table::{Column, Table};

/// Characters that other programs write between fields, with their names.
const OTHER_SEPARATORS: [(char, &str); 2] = [(';', "semicolons"), ('\t', "tabs")];

/// Parses the whole lines of a table. An empty field is no number, nor are words.
pub(super) fn parse(rows: &[u8]) -> Result<Table, TableError> {
    let mut reader = csv::Reader::from_reader(rows);
    let head = reader.headers().map_err(|error| no_table(&error))?.clone();
    if head.is_empty() {
        return Err(TableError::Table("it has no whole row".into()));
    }
    if let Some(fault) = fault_of_head(&head) {
        return Err(TableError::Table(fault));
    }
    let mut columns: Vec<Column> = head.iter().map(Column::of_head).collect();
    let (mut lines, mut row) = (Vec::new(), csv::StringRecord::new());
    while reader.read_record(&mut row).map_err(|error| no_table(&error))? {
        let line = row.position().map_or(0, csv::Position::line);
        for (column, text) in columns.iter_mut().zip(&row) {
            let text = text.trim();
            let number = text.parse().ok();
            if number.is_none() && !text.is_empty() && column.words.is_none() {
                let name = &column.name;
                column.words = Some(format!("line {line}: {name} is {}, no number{}", quoted(text), meant(text)));
            }
            column.values.push(number.unwrap_or(f64::NAN));
        }
        lines.push(line);
    }
    Ok(Table { columns, lines, is_torn: false })
}

/// Fault of a first line without names.
fn fault_of_head(head: &csv::StringRecord) -> Option<String> {
    if let (1, Some(only)) = (head.len(), head.get(0))
        && let Some((_, name)) = OTHER_SEPARATORS.iter().find(|(separator, _)| only.contains(*separator))
    {
        return Some(format!(
            "line 1: its fields are separated by {name}; write commas between them, and points in numbers (0.5)"
        ));
    }
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
    head.iter().all(is_number).then(|| {
        format!("line 1 has numbers where names of columns belong: begin with a line such as `{}`", example(head.len()))
    })
}

/// A head of so many columns.
fn example(count: usize) -> String {
    const LETTERS: [&str; 4] = ["time", "a", "b", "c"];
    let more = if count > LETTERS.len() { ",…" } else { "" };
    format!("{}{more}", LETTERS[..count.min(LETTERS.len())].join(","))
}

/// Remedy for a number as it is written elsewhere.
fn meant(text: &str) -> String {
    let with_point = text.replace(',', ".");
    if text.matches(',').count() == 1 && with_point.parse::<f64>().is_ok() {
        return format!(": write {with_point}");
    }
    // A number with its unit: the unit stands in the head.
    match text.split_once(' ') {
        Some((number, unit)) if number.parse::<f64>().is_ok() => {
            format!(": write {number}, and the unit in the head, `[{unit}]`")
        }
        _ => String::new(),
    }
}

/// Describes the fault of a table.
fn no_table(error: &csv::Error) -> TableError {
    let line = |position: &Option<csv::Position>| position.as_ref().map_or(0, csv::Position::line);
    TableError::Table(match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let hint = if *len == 2 * expected_len { "; decimals are written with a point, 0.5" } else { "" };
            format!("line {} has {len} fields, not {expected_len}{hint}", line(pos))
        }
        csv::ErrorKind::Utf8 { pos, .. } => {
            format!("line {} is no text (UTF-8): save the table as CSV in UTF-8", line(pos))
        }
        _ => format!("it is no table: {error}"),
    })
}
