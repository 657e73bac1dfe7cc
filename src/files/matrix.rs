//! Matrices as lists of rows.

use super::decode::NUMBER;
use super::item::{Decode, Item};
use super::lists::ListOf;
use super::node::{Value, show_number};
use super::words::counted;
use nalgebra::DMatrix;

/// Suggests how to write a list of plain numbers as a matrix.
fn one_row(item: Item<'_>) -> Option<String> {
    let number = |value: &Value| if let Value::Number(x) = value { Some(show_number(*x)) } else { None };
    let Value::List(nodes) = &item.node.value else {
        return number(&item.node.value).map(|x| format!("{x}; a matrix of one number is [[{x}]]"));
    };
    let row: Option<Vec<String>> = nodes.iter().map(|node| number(&node.value)).collect();
    let row = row.filter(|row| !row.is_empty())?;
    const MAX_SHOWN: usize = 6;
    let found = format!("a list of {}", counted(row.len(), "number"));
    if row.len() > MAX_SHOWN {
        return Some(format!("{found}; a row stands in brackets of its own: [[1, 2], [3, 4]]"));
    }
    let diagonal = |i: usize| {
        let entries: Vec<&str> = (0..row.len()).map(|k| if k == i { &*row[i] } else { "0" }).collect();
        format!("[{}]", entries.join(", "))
    };
    let rows: Vec<String> = (0..row.len()).map(diagonal).collect();
    let column = row.iter().map(|x| format!("[{x}]")).collect::<Vec<_>>().join(", ");
    let (row, rows) = (row.join(", "), rows.join(", "));
    Some(format!("{found}; one row of them is [[{row}]], one column [{column}], a diagonal matrix [{rows}]"))
}

/// A matrix, written as a list of its rows.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// Description of the matrix, in words that fit "expected …".
    pub about: &'static str,
}

impl Decode for Matrix {
    type Output = DMatrix<f64>;
    fn expects(&self) -> String {
        self.about.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<DMatrix<f64>> {
        if let Some(found) = one_row(item) {
            item.wrong_found(self.about, found);
            return None;
        }
        let row = ListOf { each: NUMBER, about: "the numbers of one row" };
        let rows = ListOf { each: row, about: self.about }.decode(item)?;
        let columns = rows.first().map_or(0, Vec::len);
        if columns == 0 {
            item.wrong(self.about);
            return None;
        }
        if let Some(i) = rows.iter().position(|row| row.len() != columns) {
            let found = counted(rows[i].len(), "number");
            item.wrong_found("rows of equal length", format!("{found} in row {i} and {columns} in row 0"));
            return None;
        }
        Some(DMatrix::from_row_iterator(rows.len(), columns, rows.into_iter().flatten()))
    }
}
