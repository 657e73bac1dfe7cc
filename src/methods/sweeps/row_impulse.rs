//! Impulses of rows, and their effect on velocities.

use super::rows::Rows;
use crate::inertia_groups::Groups;

/// A mobility below this \[1/kg\] counts as zero: nothing that the row measures can move.
pub(crate) const IMMOVABLE: f64 = 1e-30; // rounding

/// Adds the effect of the initial impulses of the rows to the velocities.
pub(crate) fn start(rows: &Rows, groups: &Groups, v: &mut [f64]) {
    for (i, row) in rows.all.iter().enumerate().filter(|(_, row)| row.impulse != 0.0) {
        rows.apply(i, row.impulse, groups, v);
    }
}

/// Sets the impulse of row `i` to `next`. Returns the change of the velocities, in the norm of A \[sqrt(J)\].
pub(crate) fn change(rows: &mut Rows, i: usize, next: f64, groups: &Groups, v: &mut [f64]) -> f64 {
    let by = next - rows.all[i].impulse;
    if by == 0.0 {
        return 0.0;
    }
    rows.all[i].impulse = next;
    rows.apply(i, by, groups, v);
    by.abs() * rows.all[i].mobility.max(0.0).sqrt()
}
