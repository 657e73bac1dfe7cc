//! Matrices as lists of rows.

use super::decode::NUMBER;
use super::item::{Decode, Item};
use super::lists::ListOf;
use super::words::counted;
use nalgebra::DMatrix;

/// A matrix, written as a list of its rows.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// What the matrix is, in words that fit "expected …".
    pub about: &'static str,
}

impl Decode for Matrix {
    type Output = DMatrix<f64>;
    fn expects(&self) -> String {
        self.about.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<DMatrix<f64>> {
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
