//! Matrices as lists of rows.

use crate::files::decode::{Decode, ListOf, NUMBER, counted};
use crate::files::reader::{Item, Reader};
use nalgebra::DMatrix;

/// A matrix, written as a list of its rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix {
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

/// Most states for which a Riccati equation is solved while a file is built: it takes about a second.
const MOST_STATES: usize = 200;

/// Reports a system `A` too large to design for.
pub(super) fn small_enough(r: &Reader<'_>, A: &DMatrix<f64>) -> Option<()> {
    if A.nrows() > MOST_STATES {
        r.conflict("A", format!("{} states; gains are designed for at most {MOST_STATES}", A.nrows()));
        return None;
    }
    Some(())
}
