//! Bilateral constraints of a problem.

use super::elements::RowGroup;
use super::redundant_rows::RedundantRows;
use super::support::Support;

/// Constraints with the Jacobians of their rows.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// Groups of rows.
    pub rows: Vec<RowGroup>,
    /// Jacobians of the rows.
    pub support: Vec<Support>,
    pub(super) redundant: RedundantRows,
}

impl Constraints {
    /// Removes all constraints. Keeps all memory.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.support.clear();
        self.redundant.clear();
    }
}
