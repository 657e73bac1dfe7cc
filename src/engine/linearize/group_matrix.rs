//! A matrix that is zero outside the blocks of the groups of the external system, column by column.
//!
//! A small block has all of its rows in each column. In a large one that is mostly empty (a chain of ten thousand lags)
//! a column has only the rows that it reaches, so that memory grows with the number of connections and not with their
//! square.

use super::groups::{Group, Groups};
use std::ops::{Index, Range};
use std::sync::Arc;

/// Marks a row without a group.
const NONE: u32 = u32::MAX;

/// Rows of a column of a group, with a number that columns with the same rows share, where they are sparse.
type RowsOfColumn<'a> = dyn Fn(&Group, usize) -> Option<(usize, Vec<usize>)> + 'a;

/// Place of a column.
#[derive(Clone, Debug, PartialEq)]
struct Column {
    group: u32,
    /// Range of its rows in the list of rows.
    rows: Range<usize>,
    /// Offset of its values.
    start: usize,
    /// True if it has all rows of its group.
    whole: bool,
}

/// Pattern of the entries of a matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupPattern {
    columns: Vec<Column>,
    rows: Vec<usize>,
    /// Group of each row, and its place there.
    places: Vec<(u32, u32)>,
    len: usize,
}

impl GroupPattern {
    /// Pattern of `nrows` rows and `ncols` columns. `of_group` returns the rows and columns of a group, and where
    /// columns are sparse the rows of a column with a number that columns with the same rows share.
    pub fn new<'a>(
        groups: &'a Groups,
        nrows: usize,
        ncols: usize,
        of_group: impl Fn(&'a Group) -> (&'a [usize], &'a [usize]),
        sparse: Option<&RowsOfColumn<'_>>,
    ) -> Self {
        let empty = Column { group: NONE, rows: 0..0, start: 0, whole: true };
        let mut pattern =
            GroupPattern { columns: vec![empty; ncols], places: vec![(NONE, 0); nrows], ..Self::default() };
        for (number, group) in groups.all().iter().enumerate() {
            let (rows, columns) = of_group(group);
            let all = pattern.rows.len()..pattern.rows.len() + rows.len();
            pattern.rows.extend(rows);
            rows.iter().enumerate().for_each(|(at, &row)| pattern.places[row] = (number as u32, at as u32));
            let mut last: Option<(usize, Range<usize>)> = None;
            for &column in columns {
                let own = sparse.and_then(|rows_of| rows_of(group, column));
                let whole = own.is_none();
                let rows = own.map_or(all.clone(), |(reach, rows)| match &last {
                    Some((known, range)) if *known == reach => range.clone(),
                    _ => {
                        let range = pattern.rows.len()..pattern.rows.len() + rows.len();
                        pattern.rows.extend(rows);
                        last = Some((reach, range.clone()));
                        range
                    }
                });
                let start = pattern.len;
                pattern.len += rows.len();
                pattern.columns[column] = Column { group: number as u32, rows, start, whole };
            }
        }
        pattern
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Offset of the value of an entry.
    fn at(&self, row: usize, column: usize) -> Option<usize> {
        let Column { group, rows, start, whole } = &self.columns[column];
        let (of_row, place) = self.places[row];
        if *group != of_row || *group == NONE {
            return None;
        }
        if *whole {
            return Some(start + place as usize);
        }
        self.rows[rows.clone()].binary_search(&row).ok().map(|place| start + place)
    }
}

/// A matrix: its pattern and the values of its entries.
#[derive(Debug, Default, PartialEq)]
pub struct GroupMatrix {
    pattern: Arc<GroupPattern>,
    values: Vec<f64>,
}

impl Clone for GroupMatrix {
    fn clone(&self) -> Self {
        GroupMatrix { pattern: self.pattern.clone(), values: self.values.clone() }
    }

    fn clone_from(&mut self, from: &Self) {
        if !Arc::ptr_eq(&self.pattern, &from.pattern) {
            self.pattern = from.pattern.clone();
        }
        self.values.clone_from(&from.values);
    }
}

impl Index<(usize, usize)> for GroupMatrix {
    type Output = f64;

    /// Zero where the matrix has no entry.
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        self.pattern.at(row, column).map_or(&0.0, |at| &self.values[at])
    }
}

impl GroupMatrix {
    /// Sets the pattern. The values stay if the pattern is unchanged; else they are zero.
    pub(super) fn take_pattern(&mut self, pattern: &Arc<GroupPattern>) {
        if !Arc::ptr_eq(&self.pattern, pattern) || self.values.len() != pattern.len {
            self.pattern = pattern.clone();
            self.values.clear();
            self.values.resize(pattern.len, 0.0);
        }
    }

    /// Sets an entry; there is none outside the pattern.
    pub(super) fn set(&mut self, row: usize, column: usize, value: f64) {
        let at = self.pattern.at(row, column);
        debug_assert!(at.is_some() || value == 0.0, "row {row} and column {column} are not connected");
        if let Some(at) = at {
            self.values[at] = value;
        }
    }

    /// Number of rows.
    pub fn nrows(&self) -> usize {
        self.pattern.places.len()
    }

    /// Number of columns.
    pub fn ncols(&self) -> usize {
        self.pattern.columns.len()
    }

    /// Rows of the entries of a column, in increasing order, and their values.
    pub fn column(&self, column: usize) -> (&[usize], &[f64]) {
        let Column { rows, start, .. } = &self.pattern.columns[column];
        (&self.pattern.rows[rows.clone()], &self.values[*start..start + rows.len()])
    }

    /// Values of the entries of a column.
    pub(super) fn column_mut(&mut self, column: usize) -> &mut [f64] {
        let Column { rows, start, .. } = &self.pattern.columns[column];
        &mut self.values[*start..start + rows.len()]
    }

    /// Place of a row in its group.
    pub(super) fn place(&self, row: usize) -> usize {
        self.pattern.places[row].1 as usize
    }

    /// Values of all entries.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Multiplies the matrix by a number.
    pub(super) fn scale(&mut self, factor: f64) {
        self.values.iter_mut().for_each(|x| *x *= factor);
    }

    /// Returns the matrix as a dense one.
    pub fn to_dense(&self) -> nalgebra::DMatrix<f64> {
        nalgebra::DMatrix::from_fn(self.nrows(), self.ncols(), |row, column| self[(row, column)])
    }
}
